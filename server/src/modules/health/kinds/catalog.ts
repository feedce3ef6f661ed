import { CatalogCheck } from '@quarterdeck/contract/checks/catalog'
import { ResourceSelector } from '@quarterdeck/contract/selectors'
import { findIds } from '../../../platform/selectors/find.ts'
import { SelectorError } from '../../../platform/selectors/requirements.ts'
import type { CheckKind, CheckRun } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { fillInQuery } from './credentials.ts'

const columns =
  'id, agent_id, scraper_id, config_class, type, name, description, status, health, ready, external_id, labels, tags, properties, path, config, created_at, updated_at, deleted_at'
const maxItems = 1000

/** Looks items up in our own catalog; the verdict is the test's. */
export const catalog: CheckKind<CatalogCheck> = {
  key: 'catalog',
  schema: CatalogCheck,
  templatable: true,
  endpoint: (spec) => spec.name,
  async run(run, spec) {
    const lists = await Promise.all(spec.selector.map((raw, index) => select(run, raw, index)))
    const ids = [...new Set(lists.flat())]
    const items = await run.ctx.db.query<Record<string, unknown>>(
      `select ${columns} from config_items where id = any($1) order by name, id limit ${maxItems}`,
      [ids.slice(0, maxItems)],
    )
    return { pass: true, detail: items, message: `${ids.length} items` }
  },
}

async function select(run: CheckRun, raw: unknown, index: number): Promise<string[]> {
  const parsed = ResourceSelector.safeParse(JSON.parse(await fillInQuery(run, JSON.stringify(raw))))
  if (!parsed.success) throw new InvalidCheck(`selector[${index}]: ${parsed.error.issues[0]?.message}`)
  try {
    return await findIds(run.ctx, 'configs', parsed.data)
  } catch (error) {
    throw error instanceof SelectorError ? new InvalidCheck(`selector[${index}]: ${error.message}`) : error
  }
}
