import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../../testing/database.ts'
import { shardCount } from './phase.ts'
import { releaseShards, renewShards } from './shards.ts'

const db = await testDatabase()
beforeEach(async () => {
  await db.run(`update quarterdeck_health.shards set owner = null, until = '-infinity'`)
  await db.run('delete from quarterdeck_health.members')
})

test('one process runs everything', async () => {
  const view = await renewShards(db, 'a')
  expect(view.mine.length).toBe(shardCount)
  expect(view.excess).toEqual([])
})

test('a second process gets its half once the first hands it back; nothing is held twice', async () => {
  await renewShards(db, 'a')
  expect((await renewShards(db, 'b')).mine).toEqual([])
  const asked = await renewShards(db, 'a')
  expect(asked.excess.length).toBe(shardCount / 2)
  const a = await renewShards(db, 'a', asked.excess)
  const b = await renewShards(db, 'b')
  expect(a.mine.length).toBe(32)
  expect(b.mine.length).toBe(32)
  expect(new Set([...a.mine, ...b.mine]).size).toBe(shardCount)
})

test('many processes at once never share a shard', async () => {
  const owners = ['a', 'b', 'c', 'd', 'e', 'f']
  let views = await Promise.all(owners.map((owner) => renewShards(db, owner)))
  for (let round = 0; round < 3; round++) {
    views = await Promise.all(owners.map((owner, index) => renewShards(db, owner, views[index]!.excess)))
  }
  const all = views.flatMap((view) => view.mine)
  expect(new Set(all).size).toBe(all.length)
  expect(all.length).toBe(shardCount)
})

test('what a dead process held goes to others after its lease, what a stopped one held at once', async () => {
  await renewShards(db, 'a')
  await db.run(`update quarterdeck_health.shards set until = now() - interval '1 second'`)
  await db.run(`update quarterdeck_health.members set until = now() - interval '1 second'`)
  expect((await renewShards(db, 'b')).mine.length).toBe(shardCount)
  expect((await renewShards(db, 'a')).mine).toEqual([])
  await releaseShards(db, 'b')
  expect((await renewShards(db, 'a')).mine.length).toBe(shardCount)
})
