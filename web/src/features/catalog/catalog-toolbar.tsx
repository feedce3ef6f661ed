import { byTagKey, type TriState } from '@quarterdeck/contract/tri-state'
import { healthValues } from '@quarterdeck/contract/catalog-words'
import { useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { useMemo, useState } from 'react'
import {
  configLabelsQuery,
  configStatusesQuery,
  configTagsQuery,
  configTypesQuery,
} from '@/entities/config/config.queries.ts'
import { plural } from '@/lib/format.ts'
import { Button } from '@/ui/button.tsx'
import { FilterBar } from '@/ui/filter/filter-bar.tsx'
import type { Filter } from '@/ui/filter/filters.ts'
import { Icon } from '@/ui/icons/icon.tsx'
import { toOptions } from '@/ui/option.ts'
import { Popover } from '@/ui/popover.tsx'
import { Switch } from '@/ui/switch.tsx'
import { ColumnsMenu } from '@/ui/table/columns-menu.tsx'
import { type CatalogFilters, catalogFilters, defaultGroups, groupOfTag, isFlat, tagOf } from './catalog.filters.ts'
import { configColumns } from './list/config-columns.tsx'
import { configCountQuery, listFilters } from './list/config-list.queries.ts'
import { configTableId } from './list/config-table.tsx'
import { useHideDeleted } from './preferences.ts'
import { summaryColumns } from './summary/summary-columns.tsx'

const narrowing = ['configType', 'labels', 'search', 'status', 'health', 'tags'] as const
const healthOptions = toOptions(healthValues)
const columnsOfList = configColumns(() => {})
const columnsOfSummary = summaryColumns(() => {})
const pair = (key: string, value: string) => `${key}:${value}`

/** Loads the options of a filter when it is first opened, or already has a value. */
function useWanted() {
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set())
  return (name: string) => ({
    isWanted: wanted.has(name),
    onOpen: () => setWanted((now) => (now.has(name) ? now : new Set([...now, name]))),
  })
}

/** Search, filters and preferences of the catalog. */
export function CatalogToolbar({
  filters,
  setFilters,
}: {
  filters: CatalogFilters
  setFilters: (change: Partial<CatalogFilters>) => void
}) {
  const flat = isFlat(filters)
  const wanted = useWanted()
  const [type, status, tags, labels, groups] = ['type', 'status', 'tags', 'labels', 'groups'].map(wanted) as [
    ReturnType<typeof wanted>,
    ReturnType<typeof wanted>,
    ReturnType<typeof wanted>,
    ReturnType<typeof wanted>,
    ReturnType<typeof wanted>,
  ]
  const { data: types } = useQuery({ ...configTypesQuery, enabled: type.isWanted })
  const { data: statuses } = useQuery({ ...configStatusesQuery, enabled: status.isWanted })
  const { data: tagPairs } = useQuery({ ...configTagsQuery, enabled: tags.isWanted || groups.isWanted })
  const { data: labelPairs } = useQuery({ ...configLabelsQuery, enabled: labels.isWanted })
  const tagOptions = useMemo(() => tagPairs && pairOptions(tagPairs), [tagPairs])
  const labelOptions = useMemo(() => labelPairs && pairOptions(labelPairs), [labelPairs])
  const groupOptions = useMemo(
    () => [
      { value: 'config_class', label: 'Provider' },
      { value: 'type', label: 'Type' },
      ...[...new Set(tagPairs?.map(({ key }) => key))].map((key) => ({
        value: groupOfTag(key),
        label: key,
        hint: 'tag',
      })),
      // Chosen before the tags were read: they must have a name all the same.
      ...filters.groupBy.flatMap((group) => {
        const tag = tagOf(group)
        return tag && !tagPairs ? [{ value: group, label: tag, hint: 'tag' }] : []
      }),
    ],
    [tagPairs, filters.groupBy],
  )
  const controls: Filter[] = [
    {
      kind: 'one',
      label: 'Type',
      options:
        types && types.map((row) => ({ value: row.type, label: row.type, icon: <Icon name={row.type} size={14} /> })),
      onOpen: type.onOpen,
      value: filters.configType,
      onChange: (configType) => setFilters({ configType: configType ?? '' }),
    },
    {
      kind: 'signed',
      label: 'Health',
      options: healthOptions,
      value: filters.health,
      onChange: (health) => setFilters({ health }),
    },
    {
      kind: 'signed',
      label: 'Status',
      options: statuses && toOptions(statuses.map((row) => row.status)),
      onOpen: status.onOpen,
      value: filters.status,
      onChange: (next) => setFilters({ status: next }),
    },
    {
      kind: 'many',
      label: 'Labels',
      options: labelOptions,
      onOpen: labels.onOpen,
      value: Object.entries(filters.labels).map(([key, value]) => pair(key, value)),
      onChange: (chosen) => setFilters({ labels: labelsOf(chosen) }),
    },
    {
      kind: 'signed',
      label: 'Tags',
      options: tagOptions,
      onOpen: tags.onOpen,
      group: byTagKey,
      value: filters.tags,
      onChange: (next: TriState) => setFilters({ tags: next }),
    },
    ...(flat
      ? []
      : [
          {
            kind: 'many' as const,
            label: 'Group by',
            options: groupOptions,
            onOpen: groups.onOpen,
            value: filters.groupBy,
            onChange: (groupBy: string[]) => setFilters({ groupBy: groupBy.length > 0 ? groupBy : defaultGroups }),
          },
        ]),
  ]
  return (
    <FilterBar
      className="shrink-0 border-b border-line bg-surface px-4 py-2"
      search={{ value: filters.search, onChange: (search) => setFilters({ search }), placeholder: 'Search items' }}
      filters={controls}
      isActive={catalogFilters.countActive(filters, narrowing) > 0}
      onClear={() => setFilters({ configType: '', labels: {}, search: '', status: {}, health: {}, tags: {} })}
      actions={
        <>
          {flat && <ItemCount filters={filters} />}
          <Preferences />
          {flat ? (
            <ColumnsMenu tableId={configTableId} columns={columnsOfList} />
          ) : (
            <ColumnsMenu tableId="catalog-summary" columns={columnsOfSummary} />
          )}
        </>
      }
    />
  )
}

/** How many items the list has; the list itself asks for the same figure. */
function ItemCount({ filters }: { filters: CatalogFilters }) {
  const [hidesDeleted] = useHideDeleted()
  const { data } = useQuery(configCountQuery({ filters: listFilters(filters), withDeleted: !hidesDeleted }))
  return data === undefined ? null : (
    <span role="status" className="text-sm whitespace-nowrap text-muted">
      {plural(data, 'item')}
    </span>
  )
}

function Preferences() {
  const [hidesDeleted, setHidesDeleted] = useHideDeleted()
  return (
    <Popover
      align="end"
      title="Preferences"
      trigger={
        <Button icon={SlidersHorizontal} variant="ghost">
          Preferences
        </Button>
      }
    >
      <Switch label="Hide Deleted Catalog" checked={hidesDeleted} onCheckedChange={setHidesDeleted} />
    </Popover>
  )
}

const pairOptions = (pairs: readonly { key: string; value: string }[]) =>
  pairs.map(({ key, value }) => ({ value: pair(key, value), label: `${key}: ${value}` }))

/** One value per key: choosing a second one replaces the first. */
function labelsOf(chosen: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    chosen.map((item) => {
      const at = item.indexOf(':')
      return [item.slice(0, at), item.slice(at + 1)]
    }),
  )
}
