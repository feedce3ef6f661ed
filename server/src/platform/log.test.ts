import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { oneLine } from './log.ts'

test('a line for people: time, mark, words, facts, stack', () => {
  const line = JSON.stringify({
    level: 'warn',
    time: '2026-01-02T03:04:05.000Z',
    msg: 'slow',
    ms: 12,
    a: { b: 1 },
    err: { stack: 'Error: x\n  at y' },
  })
  expect(oneLine(line)).toBe('03:04:05 ! slow ms=12 a={"b":1}\nError: x\n  at y')
})

test('secrets are hidden and database errors are cut to what matters', () => {
  const program = `
    import { createLog } from './server/src/platform/log.ts'
    const error = Object.assign(new Error('no'), { code: '23505', client: { password: 'hunter2' } })
    createLog('info').info({ password: 'hunter2', connection: { token: 'hunter2' }, err: error, kept: 1 }, 'words')`
  const run = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  expect(run.stdout).toBe('')
  expect(JSON.parse(run.stderr)).toMatchObject({
    level: 'info',
    msg: 'words',
    password: '[hidden]',
    connection: { token: '[hidden]' },
    kept: 1,
    err: { message: 'no', code: '23505' },
  })
  expect(run.stderr).not.toContain('hunter2')
})
