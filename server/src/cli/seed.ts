import { removeSeed, seed as seedDatabase, type SeedRequest } from '../seed/seed.ts'
import { type Command, refuseWords, UsageError } from './command.ts'
import { tell } from './output.ts'
import { withContext } from './with-context.ts'

const counts = {
  configs: 'catalog items',
  changes: 'changes of those items',
  checks: 'health checks, ten per canary',
  results: 'results per check, one for each of the last minutes',
  components: 'components of a topology',
  incidents: 'incidents',
} satisfies Record<keyof SeedRequest, string>

export const seed: Command = {
  name: 'seed',
  summary: 'Fill the database with invented rows, for benches and for a look at a full console.',
  usage: [
    'seed [--configs N] [--changes N] [--checks N] [--results N] [--components N] [--incidents N]',
    'seed --remove',
  ],
  about:
    'The rows belong to an agent named "seed", so that no engine works on them. Without numbers a small set is made.\n' +
    'Running it again adds only what is missing; --remove takes everything away again.',
  options: {
    ...Object.fromEntries(
      Object.entries(counts).map(([name, meaning]) => [name, { type: 'string' as const, value: 'N', meaning }]),
    ),
    remove: { type: 'boolean', meaning: 'remove what was seeded' },
  },
  examples: [
    'quarterdeck seed',
    'quarterdeck seed --configs 100000 --changes 1000000',
    'quarterdeck seed --checks 10000 --results 60',
    'quarterdeck seed --remove',
  ],
  async run({ values, positionals }) {
    refuseWords('seed', positionals)
    if (values.remove) {
      await withContext((ctx) => removeSeed(ctx, (what) => tell(`Removing ${what} …`)))
      return tell('Removed.')
    }
    const names = Object.keys(counts) as (keyof SeedRequest)[]
    const given = names.some((name) => values[name] !== undefined)
    const small: SeedRequest = {
      configs: 2000,
      changes: 10_000,
      checks: 200,
      results: 60,
      components: 100,
      incidents: 20,
    }
    const request = given
      ? (Object.fromEntries(names.map((name) => [name, numberOf(name, values[name])])) as unknown as SeedRequest)
      : small
    await withContext((ctx) => seedDatabase(ctx, request, progress()))
    tell('Seeded.')
  },
}

function numberOf(name: string, value: unknown): number {
  if (value === undefined) return 0
  const number = Number(value)
  if (!Number.isInteger(number) || number < 0 || number > 100_000_000)
    throw new UsageError(`--${name} is a number of rows, not "${String(value)}".`)
  return number
}

/** A line per kind at the start, then at most one a second. */
function progress(): (what: string, done: number, total: number) => void {
  let last = 0
  return (what, done, total) => {
    const now = Date.now()
    if (done < total && now - last < 1000) return
    last = now
    tell(`${what}: ${done} of ${total}`)
  }
}
