import { expect, test } from 'vitest'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { rows } from '../../testing/rows.ts'
import { runJob } from './run-job.ts'
import { upkeepJobs } from './upkeep.jobs.ts'

const db = await testDatabase()
const ctx = testContext(db)
const make = rows(db)

const run = async (name: string) => {
  const outcome = await runJob(
    ctx,
    upkeepJobs.find((job) => job.name === name)!,
  )
  expect(outcome.errors).toEqual([])
}

test('the last hour of a check that runs seldom moves on', async () => {
  const check = await make.aCheck()
  await make.insert('check_statuses', {
    check_id: check.id,
    time: new Date(Date.now() - 59 * 60_000),
    status: true,
    duration: 10,
  })
  await db.run(`update check_statuses set time = time - interval '10 minutes'`)
  await db.run(`update check_status_summary set last_check = last_check - interval '10 minutes', passed = 7,
                refreshed_at = now() - interval '10 minutes'`)
  await run('RefreshCheckStatusSummary')
  expect(await db.one('select passed from check_status_summary')).toEqual({ passed: '1' })
  await run('RefreshCheckStatusSummaryAged')
})

test('sizes are measured', async () => {
  await run('RefreshCheckSizeSummary')
  expect(await db.one('select count from check_size_summary')).toEqual({ count: '1' })
})

test('counted labels are folded and old fingerprints forgotten', async () => {
  for (const name of ['a', 'b', 'c']) await make.aConfig({ name, labels: { app: 'web' } })
  await db.run(`insert into config_change_fingerprints (config_id, fingerprint, change_id, seen_at)
                select id, name, id, now() - case name when 'a' then interval '3 days' else '1 hour' end from config_items`)
  await run('CompactConfigValues')
  expect(await db.query('select key, value, refs from config_values')).toEqual([{ key: 'app', value: 'web', refs: 3 }])
  await run('CleanupChangeFingerprints')
  expect(await db.query('select fingerprint from config_change_fingerprints order by 1')).toEqual([
    { fingerprint: 'b' },
    { fingerprint: 'c' },
  ])
})
