import { QuarterdeckScraper } from '@quarterdeck/contract/scrapers/quarterdeck'
import { version } from '../../../platform/paths.ts'
import type { ScrapedItem, ScraperKind, ScrapeRun } from './kind.ts'
import { databaseItems } from './quarterdeck-database.ts'
import { hostItems } from './quarterdeck-host.ts'
import { databaseRef, hostRef } from './quarterdeck-names.ts'

/**
 * The machine and the database this server runs on. Its statements are written here and not in a spec: who may edit
 * scrapers may not read every table of the server.
 */
export const quarterdeck: ScraperKind<QuarterdeckScraper> = {
  key: 'quarterdeck',
  schema: QuarterdeckScraper,
  concurrency: 1,
  async *scrape(run, spec) {
    for await (const item of hostItems(run)) yield { item }
    const server = serverItem(run)
    const database = databaseRef(run)
    yield { item: { ...server, relationships: [{ to: database, relation: 'uses' }] } }
    for await (const result of databaseItems(run, spec)) yield result
  },
}

/** This product, as it is set up; what differs from run to run stays out, so that a restart is no change. */
function serverItem(run: ScrapeRun): ScrapedItem {
  const { config } = run.ctx
  return {
    id: `quarterdeck/${hostRef().externalId}`,
    type: 'Quarterdeck::Server',
    configClass: 'Application',
    name: 'quarterdeck',
    status: 'Running',
    health: 'healthy',
    description: 'The server that shows you this catalog',
    source: 'this server',
    labels: { app: 'quarterdeck', version },
    config: {
      version,
      node: process.version,
      deployment: config.QUARTERDECK_DEPLOYMENT,
      authentication: config.QUARTERDECK_AUTH,
      scripts: config.QUARTERDECK_EXEC ? 'on' : 'off',
      database: config.DATABASE_URL ? 'own' : 'embedded',
      listens: { host: config.HOST, port: config.PORT, apiPort: config.QUARTERDECK_API_PORT },
      mail: config.SMTP_URL ? 'on' : 'off',
    },
    properties: [{ name: 'Version', text: version, headline: true }],
    parents: [hostRef()],
    analyses: findings(run),
  }
}

function findings(run: ScrapeRun): ScrapedItem['analyses'] {
  const { QUARTERDECK_AUTH, QUARTERDECK_EXEC, SMTP_URL } = run.ctx.config
  const found: NonNullable<ScrapedItem['analyses']> = []
  const source = 'Quarterdeck'
  if (QUARTERDECK_AUTH === 'none')
    found.push({
      analyzer: 'sign-in-off',
      analysisType: 'security',
      severity: 'high',
      source,
      summary: 'Nobody has to sign in',
      message: 'QUARTERDECK_AUTH is none: everybody who reaches this server is an administrator.',
    })
  if (QUARTERDECK_EXEC)
    found.push({
      analyzer: 'scripts-on',
      analysisType: 'security',
      severity: 'low',
      source,
      summary: 'Editors may run scripts on this host',
      message:
        'Exec checks and scrapers run as the user of this server. Set QUARTERDECK_EXEC=off if nobody needs them.',
    })
  if (!SMTP_URL)
    found.push({
      analyzer: 'no-mail',
      analysisType: 'recommendation',
      severity: 'info',
      source,
      summary: 'No mail can be sent',
      message: 'Set SMTP_URL so that invitations and notifications can be mailed.',
    })
  return found
}
