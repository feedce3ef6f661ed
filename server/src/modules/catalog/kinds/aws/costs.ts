import type { AwsScraper } from '@quarterdeck/contract/scrapers/aws'
import { setTimeout as wait } from 'node:timers/promises'
import type { AwsAccess } from '../../../../platform/cloud/aws.ts'
import { awsTarget } from '../../../../platform/cloud/aws-calls.ts'
import { record, records, word } from '../../../../platform/kubernetes/object.ts'
import { InvalidScraper, type ItemCosts, type ScrapeRun } from '../kind.ts'

type Spec = NonNullable<AwsScraper['costReporting']>

/** Costs by resource; what belongs to nothing that was found is the account's. */
export class Costs {
  private readonly left = new Map<string, Required<ItemCosts>>()
  private readonly isKnown: boolean

  constructor(rows: readonly { resource: string; costs: Required<ItemCosts> }[] | undefined) {
    this.isKnown = rows !== undefined
    for (const { resource, costs } of rows ?? []) this.left.set(resource, add(this.left.get(resource), costs))
  }

  /** Those of a resource, by any of its names; they are given out once. */
  take(names: readonly (string | undefined)[]): ItemCosts | undefined {
    for (const name of names) {
      const found = name ? this.left.get(name) : undefined
      if (found && name) {
        this.left.delete(name)
        return found
      }
    }
    return undefined
  }

  /** What nobody took. */
  rest(): ItemCosts | undefined {
    return this.isKnown ? [...this.left.values()].reduce(add, zero) : undefined
  }
}

const zero: Required<ItemCosts> = { perMinute: 0, total1d: 0, total7d: 0, total30d: 0 }
const add = (a: Required<ItemCosts> = zero, b: Required<ItemCosts>): Required<ItemCosts> => ({
  perMinute: a.perMinute + b.perMinute,
  total1d: a.total1d + b.total1d,
  total7d: a.total7d + b.total7d,
  total30d: a.total30d + b.total30d,
})

/** A name of Athena; nothing else gets into the statement. */
function identifier(text: string | undefined, field: string): string {
  if (!text || !/^\w+$/.test(text))
    throw new InvalidScraper(`costReporting.${field} must be a name of letters, digits and _`)
  return `"${text}"`
}

/** Sums per resource over the last hour of the report, and over 1, 7 and 30 days before its end. */
function costStatement({ database, table }: Spec): string {
  const source = `${identifier(database, 'database')}.${identifier(table, 'table')}`
  const since = (unit: string, amount: number) =>
    `sum(case when started >= date_add('${unit}', -${amount}, ended) then cost else 0 end)`
  return `select resource, ${since('hour', 1)}, ${since('day', 1)}, ${since('day', 7)}, ${since('day', 30)}
from (select coalesce(nullif(line_item_resource_id, ''), line_item_product_code) as resource,
    line_item_usage_start_date as started, line_item_unblended_cost as cost
  from ${source} where line_item_usage_start_date >= date_add('day', -32, now()))
cross join (select max(line_item_usage_start_date) as ended from ${source})
group by resource`
}

const pollMs = 1_000

/** Asks Athena, which writes its answers into a bucket. */
export async function readCosts(run: ScrapeRun, access: AwsAccess, spec: Spec): Promise<Costs> {
  const statement = costStatement(spec)
  const inRegion = { ...access, region: spec.region ?? access.region }
  const call = (action: string, input: object) =>
    awsTarget(run, inRegion, { service: 'athena', target: `AmazonAthena.${action}`, input })
  const started = await call('StartQueryExecution', {
    QueryString: statement,
    ...(spec.s3BucketPath ? { ResultConfiguration: { OutputLocation: spec.s3BucketPath } } : {}),
  })
  const QueryExecutionId = word(started.QueryExecutionId)
  for (;;) {
    const { Status } = record((await call('GetQueryExecution', { QueryExecutionId })).QueryExecution)
    const { State, StateChangeReason } = record(Status)
    if (State === 'SUCCEEDED') break
    if (State === 'FAILED' || State === 'CANCELLED')
      throw new Error(`Athena: ${word(StateChangeReason) || word(State)}`)
    await wait(pollMs, undefined, { signal: run.signal })
  }
  const found: { resource: string; costs: Required<ItemCosts> }[] = []
  let NextToken: string | undefined
  do {
    const page = await call('GetQueryResults', { QueryExecutionId, ...(NextToken ? { NextToken } : {}) })
    const all = records(record(page.ResultSet).Rows).map(({ Data }) =>
      records(Data).map(({ VarCharValue }) => word(VarCharValue)),
    )
    // The first row of the first page is the heading.
    for (const [resource = '', ...sums] of NextToken ? all : all.slice(1)) {
      const [hour = 0, day = 0, week = 0, month = 0] = sums.map(Number)
      if (resource)
        found.push({ resource, costs: { perMinute: hour / 60, total1d: day, total7d: week, total30d: month } })
    }
    NextToken = word(page.NextToken) || undefined
  } while (NextToken)
  return new Costs(found)
}
