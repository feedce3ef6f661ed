import type { ConnectionUse } from '@quarterdeck/contract/connections/usage'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { paths } from '@/app/paths.ts'
import { Age } from '@/ui/age.tsx'
import { ShowMore } from '@/ui/show-more.tsx'
import { usageQuery } from './connections.queries.ts'

/** What relies on a connection, and who used it last. Servers that do not know say nothing. */
export function Usage({ id }: { id: string }) {
  const { data } = useQuery(usageQuery(id))
  if (!data) return null
  const { used_by: uses, last_used_at: at, last_used_by: by } = data
  return (
    <section aria-label="Use" className="flex flex-col gap-2 border-t border-line pt-4 text-sm">
      <p className="text-muted">
        {at ? (
          <>
            Last used <Age value={at} suffix=" ago" />
            {by && ` by ${by}`}
          </>
        ) : (
          'Not used yet'
        )}
      </p>
      {uses.length > 0 && (
        <div className="flex flex-col gap-1">
          <h3 className="text-xs font-medium text-muted">Used by</h3>
          <ShowMore items={uses} max={5} render={(use) => <UseLink key={use.id} use={use} />} />
        </div>
      )}
    </section>
  )
}

const pages = new Set(['canaries', 'teams', 'topologies', 'config_scrapers', 'logging_backends', 'incident_rules'])

function UseLink({ use: { kind, table, id, name, namespace } }: { use: ConnectionUse }) {
  const words = namespace && namespace !== 'default' ? `${namespace}/${name}` : name
  const to =
    table === 'connections' ? `${paths.connections}?id=${id}` : pages.has(table) ? paths.settingsItem(table, id) : null
  return (
    <span className="flex min-w-0 gap-2">
      {to ? (
        <Link to={to} className="truncate text-accent-text hover:underline">
          {words}
        </Link>
      ) : (
        <span className="truncate">{words}</span>
      )}
      <span className="shrink-0 text-muted">{kind}</span>
    </span>
  )
}
