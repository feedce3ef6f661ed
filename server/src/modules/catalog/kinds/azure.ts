import { AzureScraper } from '@quarterdeck/contract/scrapers/azure'
import { type AzureAccess, azureGet, azureList } from '../../../platform/cloud/azure.ts'
import { record, time, word } from '../../../platform/kubernetes/object.ts'
import { activityChanges } from './azure/activity.ts'
import { recommendationOf } from './azure/advisor.ts'
import { azureKinds, groupOf, idOf, typeOf } from './azure/resources.ts'
import {
  InvalidScraper,
  type ItemRef,
  type ScrapedItem,
  type ScraperKind,
  type ScrapeResult,
  type ScrapeRun,
} from './kind.ts'
import { targetOf, textOf } from './support.ts'

type Raw = Record<string, unknown>
const week = 7 * 86_400_000
const groupType = typeOf('Microsoft.Resources/resourceGroups')
const subscriptionType = typeOf('subscription')

/** The resources of a subscription, its activity log as changes, and what Advisor recommends. */
export const azure: ScraperKind<AzureScraper> = {
  key: 'azure',
  schema: AzureScraper,
  concurrency: 2,
  async *scrape(run, spec) {
    const access = await accessOf(run, spec)
    const root = `/subscriptions/${encodeURIComponent(spec.subscriptionID)}`
    const subscription = await azureGet(run, access, `${root}?api-version=2022-12-01`)
    const place: Place = {
      id: spec.subscriptionID,
      name: word(subscription.displayName) || spec.subscriptionID,
      root: idOf(root),
    }
    yield { item: subscriptionItem(subscription, place, spec.organisation) }
    const parts: [string, () => AsyncGenerator<ScrapeResult>][] = [
      ['resource groups', () => groups(run, access, root, place)],
      ['resources', () => resources(run, access, root, place)],
      ...azureKinds.map(({ type, version, configClass }): (typeof parts)[number] => [
        type,
        () => ofKind(run, access, `${root}/providers/${type}?api-version=${version}`, { place, type, configClass }),
      ]),
      ['Advisor', () => advisor(run, access, root)],
      ['activity log', () => activity(run, access, root, spec)],
    ]
    for (const [item, read] of parts) {
      try {
        yield* read()
      } catch (error) {
        run.signal.throwIfAborted()
        yield { error: { message: (error as Error).message, item } }
      }
    }
  },
}

interface Place {
  id: string
  name: string
  root: string
}

const tagsOf = ({ id, name }: Place, group = '') => ({
  subscriptionID: id,
  subscriptionName: name,
  ...(group ? { resourceGroup: group } : {}),
})

function subscriptionItem(config: Raw, place: Place, organisation: string | undefined): ScrapedItem {
  const state = word(config.state)
  return {
    id: place.root,
    type: subscriptionType,
    configClass: 'Subscription',
    name: place.name,
    status: state || undefined,
    health: state === 'Enabled' ? 'healthy' : state === 'Warned' || state === 'PastDue' ? 'warning' : 'unknown',
    source: 'Azure',
    tags: tagsOf(place),
    config: { ...config, ...(organisation ? { organisation } : {}) },
  }
}

async function* groups(run: ScrapeRun, access: AzureAccess, root: string, place: Place): AsyncGenerator<ScrapeResult> {
  for await (const each of azureList(run, access, `${root}/resourcegroups?api-version=2021-04-01`))
    yield { item: itemOf(each, { place, type: 'Microsoft.Resources/resourceGroups', configClass: 'ResourceGroup' }) }
}

/** Everything else there is, as far as Azure tells of it without being asked for its kind. */
async function* resources(
  run: ScrapeRun,
  access: AzureAccess,
  root: string,
  place: Place,
): AsyncGenerator<ScrapeResult> {
  const full = new Set(azureKinds.map(({ type }) => type.toLowerCase()))
  for await (const each of azureList(run, access, `${root}/resources?api-version=2021-04-01&$expand=createdTime`)) {
    const type = word(each.type)
    if (!type || full.has(type.toLowerCase())) continue
    yield { item: itemOf(each, { place, type, configClass: type.split('/').at(-1)! }) }
  }
}

interface Kind {
  place: Place
  type: string
  configClass: string
}

async function* ofKind(run: ScrapeRun, access: AzureAccess, path: string, kind: Kind): AsyncGenerator<ScrapeResult> {
  try {
    for await (const each of azureList(run, access, path)) yield { item: itemOf(each, kind) }
  } catch (error) {
    // A subscription that never used a kind has not registered it, and so has none.
    if (!/MissingSubscriptionRegistration|NoRegisteredProviderFound|InvalidResourceType/.test((error as Error).message))
      throw error
  }
}

function itemOf(config: Raw, { place, type, configClass }: Kind): ScrapedItem {
  const id = idOf(word(config.id))
  const group = groupOf(id)
  const isGroup = type === 'Microsoft.Resources/resourceGroups'
  const properties = record(config.properties)
  const { etag: _, ...kept } = config
  const parents: ItemRef[] = [{ externalId: place.root, type: subscriptionType }]
  if (group && !isGroup) parents.unshift({ externalId: `${place.root}/resourcegroups/${group}`, type: groupType })
  const created = time(config.createdTime) ?? time(properties.creationTime) ?? time(properties.timeCreated)
  return {
    id,
    type: typeOf(type),
    configClass,
    name: word(config.name),
    ...stateOf(config, properties),
    source: 'Azure',
    labels: Object.fromEntries(Object.entries(record(config.tags)).map(([key, value]) => [key, word(value)])),
    tags: tagsOf(place, isGroup ? '' : group),
    createdAt: created === undefined ? undefined : new Date(created),
    parents,
    config: kept,
  }
}

const health: Record<string, string> = {
  Succeeded: 'healthy',
  Failed: 'unhealthy',
  Canceled: 'warning',
  Running: 'healthy',
  Ready: 'healthy',
}

/** How far its last change came, or what it says itself. */
function stateOf(config: Raw, properties: Raw): { status?: string; health: string } {
  const state =
    word(properties.state) ||
    word(properties.userVisibleState) ||
    word(properties.provisioningState) ||
    word(config.provisioningState)
  return { status: state || undefined, health: health[state] ?? 'unknown' }
}

async function* advisor(run: ScrapeRun, access: AzureAccess, root: string): AsyncGenerator<ScrapeResult> {
  for await (const each of azureList(
    run,
    access,
    `${root}/providers/Microsoft.Advisor/recommendations?api-version=2023-01-01`,
  )) {
    const analysis = recommendationOf(each)
    if (analysis) yield { analysis }
  }
}

/** The last week at first, then what came since. */
async function* activity(
  run: ScrapeRun,
  access: AzureAccess,
  root: string,
  spec: AzureScraper,
): AsyncGenerator<ScrapeResult> {
  const now = run.startedAt.getTime()
  const kept = await run.state.get<{ until?: string }>()
  // Events appear minutes after they happened.
  const since = Math.max(now - week, kept?.until ? Date.parse(kept.until) - 15 * 60_000 : 0)
  const filter = `eventTimestamp ge '${new Date(since).toISOString()}' and eventTimestamp le '${new Date(now).toISOString()}'`
  const path = `${root}/providers/Microsoft.Insights/eventtypes/management/values?api-version=2015-04-01&$filter=${encodeURIComponent(filter)}`
  const events: Raw[] = []
  for await (const event of azureList(run, access, path)) events.push(event)
  for (const change of activityChanges(events, spec.exclusions?.activityLogs)) yield { change }
  run.state.set({ until: new Date(now).toISOString() })
}

async function accessOf(run: ScrapeRun, spec: AzureScraper): Promise<AzureAccess> {
  const target = spec.connection ? await targetOf(run, { connection: spec.connection }) : undefined
  const clientId = (await textOf(run, spec.clientID, { secret: false })) ?? (target?.username || undefined)
  const clientSecret = (await textOf(run, spec.clientSecret)) ?? (target?.password || undefined)
  const tenant = spec.tenantID ?? (target?.properties.tenant || target?.properties.tenantID || undefined)
  if (!clientId || !clientSecret || !tenant)
    throw new InvalidScraper('tenantID, clientID and clientSecret are needed, here or in the connection')
  return { tenant, clientId, clientSecret, endpoint: spec.endpoint, loginEndpoint: spec.loginEndpoint }
}
