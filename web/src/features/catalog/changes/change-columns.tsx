import type { CatalogChange } from '@quarterdeck/contract/catalog-read'
import type { Sign } from '@quarterdeck/contract/tri-state'
import { ConfigLink } from '@/entities/resource-link.tsx'
import { FirstTags } from '@/entities/config/first-tags.tsx'
import { SeverityBadge } from '@/entities/insight/insight-marks.tsx'
import { PersonAvatar } from '@/entities/person-avatar.tsx'
import { Age } from '@/ui/age.tsx'
import { CountBadge } from '@/ui/count-badge.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import type { Column } from '@/ui/table/column.ts'
import type { ChangeFilters } from './changes.filters.ts'
import { FilterableCell } from './filterable-cell.tsx'

/** Filters that a cell can set. */
type FilterName = Extract<
  keyof ChangeFilters,
  | 'configTypes'
  | 'changeType'
  | 'severity'
  | 'id'
  | 'summary'
  | 'source'
  | 'created_by'
  | 'external_created_by'
  | 'tags'
>
export type SetFilter = (name: FilterName, value: string, sign: Sign) => void

/** The columns of a list of changes; cells set filters. */
export function changeColumns(filter: SetFilter): Column<CatalogChange>[] {
  const cell = (
    name: FilterName,
    value: string | null | undefined,
    children: React.ReactNode = value,
    text = value ?? '',
  ) =>
    value ? (
      <FilterableCell text={text} onFilter={(sign) => filter(name, value, sign)}>
        {children}
      </FilterableCell>
    ) : null
  return [
    {
      id: 'created_at',
      header: 'Last seen',
      size: 108,
      sortable: true,
      required: true,
      cell: (change) => <Age value={change.created_at} />,
    },
    {
      id: 'type',
      header: 'Type',
      size: 170,
      sortable: true,
      cell: (change) =>
        cell(
          'configTypes',
          change.type,
          <span className="flex min-w-0 items-center gap-2">
            <Icon name={change.type} />
            <span className="truncate">{change.type}</span>
          </span>,
        ),
    },
    {
      id: 'name',
      header: 'Name',
      size: 210,
      sortable: true,
      cell: (change) =>
        cell(
          'id',
          change.config_id,
          <ConfigLink
            config={{ id: change.config_id, name: change.name ?? '', type: change.type }}
            className="flex w-fit"
          />,
          change.name ?? '',
        ),
    },
    {
      id: 'change_type',
      header: 'Change Type',
      size: 150,
      sortable: true,
      cell: (change) =>
        cell(
          'changeType',
          change.change_type,
          <span className="flex min-w-0 items-center gap-1.5">
            <span className="truncate">{change.change_type}</span>
            {change.count > 1 && <CountBadge count={change.count} />}
          </span>,
          change.change_type ?? '',
        ),
    },
    {
      id: 'severity',
      header: 'Severity',
      size: 104,
      sortable: true,
      cell: (change) => cell('severity', change.severity, <SeverityBadge severity={change.severity} />),
    },
    {
      id: 'summary',
      header: 'Summary',
      grow: true,
      minSize: 220,
      sortable: true,
      cell: (change) => cell('summary', change.summary, <span title={change.summary ?? ''}>{change.summary}</span>),
    },
    {
      id: 'created_by',
      header: 'Created By',
      size: 150,
      cell: (change) =>
        change.created_by
          ? cell('created_by', change.created_by, <PersonAvatar id={change.created_by} withName />, 'this person')
          : cell('external_created_by', change.external_created_by),
    },
    {
      id: 'source',
      header: 'Source',
      size: 150,
      sortable: true,
      cell: (change) => cell('source', change.source, <span title={change.source ?? ''}>{change.source}</span>),
    },
    {
      id: 'tags',
      header: 'Tags',
      size: 200,
      cell: (change) => (
        <FirstTags tags={change.tags} onTagClick={(key, value) => filter('tags', `${key}:${value}`, 1)} />
      ),
    },
    {
      id: 'count',
      header: 'Count',
      size: 76,
      align: 'right',
      sortable: true,
      hidden: true,
      cell: (change) => <CountBadge count={change.count} alarming />,
    },
    {
      id: 'first_observed',
      header: 'First observed',
      size: 130,
      align: 'right',
      sortable: true,
      cell: (change) => <Age value={change.first_observed} />,
    },
  ]
}
