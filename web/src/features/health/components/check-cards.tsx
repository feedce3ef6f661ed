import { useState } from 'react'
import { formatUptime } from '@/lib/format.ts'
import { Age } from '@/ui/age.tsx'
import { Millis } from '@/ui/figures.tsx'
import { isNearEnd } from '@/ui/infinite-list.tsx'
import { Skeleton } from '@/ui/skeleton.tsx'
import { HealthMark } from '@/ui/status.tsx'
import { checkState, type CheckSummary, showsAge } from '../check.ts'
import type { CheckBundle } from '../grouping.ts'
import { stateHealth, stateWord } from './check-columns.tsx'

/** Cards drawn at first, and more each time the end comes near: ten thousand at once would stop the page. */
const batch = 150

/** The first so many checks of the groups, in their groups. */
export function firstCards(
  groups: readonly CheckBundle[],
  limit: number,
): { group: CheckBundle; checks: CheckSummary[] }[] {
  let left = limit
  return groups.flatMap((group) => {
    if (left <= 0) return []
    const checks = group.checks.slice(0, left)
    left -= checks.length
    return [{ group, checks }]
  })
}

/** Grey cards in the place of those to come. */
export function CardSkeletons() {
  return (
    <div aria-busy className="flex flex-col gap-5 p-4">
      {[9, 4, 6].map((count, group) => (
        <div key={group}>
          <Skeleton className="mb-2 h-4 w-32" />
          <div className={grid}>
            {Array.from({ length: count }, (_, card) => (
              <Skeleton key={card} className="h-18 w-full" />
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}

const grid = 'grid grid-cols-[repeat(auto-fill,minmax(15rem,1fr))] gap-2'

/** Checks as cards of one height, by group. */
export function CheckCards({
  groups,
  now,
  onOpen,
}: {
  groups: readonly CheckBundle[]
  now: number
  onOpen: (check: CheckSummary) => void
}) {
  const [limit, setLimit] = useState(batch)
  const total = groups.reduce((sum, group) => sum + group.checks.length, 0)
  return (
    <div
      className="flex flex-col gap-5 overflow-y-auto p-4"
      onScroll={(event) => limit < total && isNearEnd(event.currentTarget) && setLimit(limit + batch)}
    >
      {firstCards(groups, limit).map(({ group, checks }) => (
        <section key={group.key} aria-label={group.name}>
          <h2 className="mb-2 text-sm font-medium">
            {group.name} <span className="text-xs text-subtle tabular-nums">{group.checks.length}</span>
          </h2>
          <ul className={grid}>
            {checks.map((check) => (
              <li key={check.id}>
                <CheckCard check={check} now={now} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function CheckCard({
  check,
  now,
  onOpen,
}: {
  check: CheckSummary
  now: number
  onOpen: (check: CheckSummary) => void
}) {
  const state = checkState(check, now)
  const { passed = 0, failed = 0 } = check.uptime ?? {}
  return (
    <button
      type="button"
      onClick={() => onOpen(check)}
      className="flex h-18 w-full flex-col justify-between rounded-md border border-line bg-surface px-3 py-2 text-left hover:border-line-strong"
    >
      <span className="flex min-w-0 items-center gap-2">
        <HealthMark health={stateHealth[state]} label={stateWord[state]} />
        <span className="truncate text-sm">{check.name}</span>
      </span>
      <span className="flex items-center gap-3 text-xs text-muted tabular-nums">
        {passed + failed > 0 ? <span>{formatUptime({ passed, failed })}</span> : <span>{stateWord[state]}</span>}
        {check.latency?.p95 !== undefined && <Millis ms={check.latency.p95} />}
        <span className="flex-1" />
        {showsAge(check.last_runtime, now) && <Age value={check.last_runtime} suffix=" ago" />}
      </span>
    </button>
  )
}
