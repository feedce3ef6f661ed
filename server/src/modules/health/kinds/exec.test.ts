import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exec } from './exec.ts'
import { runProgram } from '../../../platform/clients/program.ts'
import { runOne, testContext } from './testing.ts'

const check = (raw: object, options = {}) => runOne(exec as never, raw, options)

test('exit code 0 passes with what was printed', async () => {
  const result = await check({ script: 'echo " out "; echo err >&2' })
  expect(result).toMatchObject({ pass: true, detail: { stdout: 'out', stderr: 'err', exitCode: 0 } })
})

test('any other code fails and shows folder, command, code and outputs; a test cannot turn it back', async () => {
  const { pass, error } = await check({ script: 'echo oh; echo no >&2; exit 3', test: { expr: 'true' } })
  expect(pass).toBe(false)
  for (const part of ['exit code 3 in /', 'command: echo oh', 'stdout: oh', 'stderr: no']) expect(error).toContain(part)
})

test('only PATH, HOME, LANG and what is given reach the script', async () => {
  process.env.SERVER_SECRET = 'must-not-be-seen'
  const { detail } = await check({ script: 'env', env: [{ name: 'GIVEN', value: 'yes' }] })
  const names = (detail as { stdout: string }).stdout.split('\n').map((line) => line.split('=')[0])
  expect(names.filter((name) => !['_', 'SHLVL', 'PWD'].includes(name!)).sort()).toEqual([
    'GIVEN',
    'HOME',
    'LANG',
    'PATH',
  ])
})

test('secrets given to a script are not in its result', async () => {
  const result = await check({ script: 'echo $API_TOKEN; exit 1', env: [{ name: 'API_TOKEN', value: 'tok-12345678' }] })
  expect(JSON.stringify(result)).not.toContain('tok-12345678')
})

test('a gigabyte of output is cut', async () => {
  const started = process.memoryUsage().rss
  const { pass, detail } = await check({ script: 'head -c 1000000000 /dev/zero | tr "\\0" x' })
  expect(pass).toBe(true)
  // What is stored is bounded again by the history.
  expect(JSON.stringify(detail).length).toBeLessThan(300_000)
  expect(process.memoryUsage().rss - started).toBeLessThan(200e6)
}, 30_000)

const alive = (marker: string) => {
  try {
    return execFileSync('pgrep', ['-f', marker], { encoding: 'utf8' }).trim() !== ''
  } catch {
    return false
  }
}

test('time up: the script and all its children are ended', async () => {
  const result = await check({
    script: 'for i in 1 2 3 4 5; do (sleep 30.7711 & sleep 30.7711) & done; wait',
    timeout: 1,
  })
  expect(result).toMatchObject({ pass: false, error: 'timed out after 1000 ms' })
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(alive('sleep 30.7711')).toBe(false)
})

test('children left in the background do not hold the check up and are ended', async () => {
  const started = performance.now()
  expect(await check({ script: 'sleep 30.7722 & echo done' })).toMatchObject({ pass: true, detail: { stdout: 'done' } })
  expect(performance.now() - started).toBeLessThan(3000)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(alive('sleep 30.7722')).toBe(false)
})

test('switched off: invalid with clear words', async () => {
  const ctx = testContext({ QUARTERDECK_EXEC: 'off' })
  expect(await check({ script: 'true' }, { ctx })).toMatchObject({
    invalid: true,
    error: expect.stringContaining('switched off'),
  })
})

test('a repository is checked out and the script runs in it', async () => {
  const origin = mkdtempSync(join(tmpdir(), 'qd-origin-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', origin, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { stdio: 'ignore' })
  git('init', '-q')
  writeFileSync(join(origin, 'hello.txt'), 'from git')
  git('add', '.')
  git('commit', '-qm', 'one')
  expect(await check({ script: 'cat hello.txt', checkout: { url: `file://${origin}` } })).toMatchObject({
    pass: true,
    detail: { stdout: 'from git' },
  })
  expect((await check({ script: 'true', checkout: { url: 'file:///nowhere' } })).error).toContain('git clone failed')
  expect(await check({ script: 'true', checkout: { url: `file://${origin}`, destination: '../x' } })).toMatchObject({
    invalid: true,
  })
})

test('artifacts: outputs and files, links left out', async () => {
  const spec = exec.schema.parse({
    name: 'a',
    script: 'mkdir r; echo 1 > r/a.txt; echo 2 > r/b.log; ln -s /etc/passwd r/c.txt; echo out',
    artifacts: [{ path: '/dev/stdout' }, { path: 'r/*.txt' }],
  })
  const run = {
    ctx: testContext(),
    canary: {},
    check: {},
    signal: AbortSignal.timeout(5000),
    secret: () => undefined,
  } as never
  const { artifacts } = await exec.run(run, spec)
  expect(artifacts!.map(({ path, content }) => [path, Buffer.from(content).toString()])).toEqual([
    ['stdout', 'out\n'],
    ['r/a.txt', '1\n'],
  ])
})

test('artifacts that are too large, or too many, are left out and said; the verdict stays', async () => {
  const big = await check({
    script: 'head -c 11000000 /dev/zero > big; head -c 9000000 /dev/zero > a; cp a b; cp a c; echo 1 > d',
    artifacts: [{ path: '*' }],
  })
  expect(big.pass).toBe(true)
  expect(big.error).toContain('artifact big was not kept: larger than 10 MB')
  expect(big.error).toMatch(/artifact [abc] was not kept: the run has too many/)
  expect(big.artifacts!.map(({ path }) => path)).toContain('d')
  const many = await check({ script: 'for i in $(seq 150); do echo $i > f$i; done', artifacts: [{ path: 'f*' }] })
  expect(many.artifacts).toHaveLength(100)
  expect(many.error).toContain('47 more artifacts were not kept')
})

test('a program that is not there is invalid', async () => {
  await expect(runProgram('no-such-program', [], { signal: AbortSignal.timeout(1000) })).rejects.toThrow(
    'is not installed',
  )
})
