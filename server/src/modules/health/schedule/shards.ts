import type { Db } from '../../../platform/db/db.ts'
import { shardCount } from './phase.ts'

export const leaseMs = 20_000
export const renewEveryMs = 5_000

export interface ShardView {
  mine: number[]
  /** Shards beyond this process's share: stop their runs, then hand them back with the next renewal. */
  excess: number[]
  /** Other processes that run checks now. */
  others: number
}

/** Renews what this process holds, hands back `giveUp`, and takes free shards up to an even share. */
export async function renewShards(db: Db, owner: string, giveUp: readonly number[] = []): Promise<ShardView> {
  return db.tx(async (sql) => {
    await sql.run(
      `insert into quarterdeck_health.members (owner, until) values ($1, clock_timestamp() + $2 * interval '1 millisecond')
       on conflict (owner) do update set until = excluded.until`,
      [owner, leaseMs],
    )
    await sql.run('delete from quarterdeck_health.members where until <= clock_timestamp()')
    const { others } = await sql.one<{ others: number }>(
      'select count(*)::int as others from quarterdeck_health.members where owner <> $1',
      [owner],
    )
    if (giveUp.length > 0) {
      await sql.run(
        `update quarterdeck_health.shards set owner = null, until = '-infinity' where owner = $1 and shard = any($2::int[])`,
        [owner, giveUp],
      )
    }
    const mine = await sql.query<{ shard: number }>(
      `update quarterdeck_health.shards set until = clock_timestamp() + $2 * interval '1 millisecond'
        where owner = $1 and until > clock_timestamp() returning shard`,
      [owner, leaseMs],
    )
    const share = fairShare(others)
    if (mine.length < share) {
      const taken = await sql.query<{ shard: number }>(
        `update quarterdeck_health.shards set owner = $1, until = clock_timestamp() + $2 * interval '1 millisecond'
          where shard in (select shard from quarterdeck_health.shards where owner is null or until <= clock_timestamp()
                          order by shard limit $3 for update skip locked)
         returning shard`,
        [owner, leaseMs, share - mine.length],
      )
      mine.push(...taken)
    }
    const shards = mine.map(({ shard }) => shard).sort((a, b) => a - b)
    return { mine: shards, excess: shards.slice(share), others }
  })
}

export const fairShare = (others: number): number => Math.ceil(shardCount / (others + 1))

/** At a clean stop others take over at once instead of waiting for the lease to end. */
export async function releaseShards(db: Db, owner: string): Promise<void> {
  await db.tx(async (sql) => {
    await sql.run(`update quarterdeck_health.shards set owner = null, until = '-infinity' where owner = $1`, [owner])
    await sql.run('delete from quarterdeck_health.members where owner = $1', [owner])
  })
}
