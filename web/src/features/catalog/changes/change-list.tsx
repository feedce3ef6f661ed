import type { CatalogChange } from '@quarterdeck/contract/catalog-read'
import { changeSeverities } from '@quarterdeck/contract/catalog-words'
import { byTagKey, oneGroup, toggleTriState, type TriState } from '@quarterdeck/contract/tri-state'
import { useQuery } from '@tanstack/react-query'
import { ArrowDownToLine, ArrowUpFromLine, GitCompareArrows, SearchX } from 'lucide-react'
import { useMemo, useState } from 'react'
import { changeTypesQuery, configTagsQuery, configTypesQuery } from '@/entities/config/config.queries.ts'
import { wordOf } from '@/entities/insight/insight.ts'
import { useStable } from '@/lib/use-stable.ts'
import { peopleQuery } from '@/entities/people.ts'
import { useFilters } from '@/lib/use-filters.ts'
import { EmptyState } from '@/ui/empty-state.tsx'
import { FilterBar, FilterChips } from '@/ui/filter/filter-bar.tsx'
import { chipsOf, type Filter } from '@/ui/filter/filters.ts'
import { Icon } from '@/ui/icons/icon.tsx'
import { toOptions } from '@/ui/option.ts'
import { Switch } from '@/ui/switch.tsx'
import { ColumnsMenu } from '@/ui/table/columns-menu.tsx'
import { DataTable } from '@/ui/table/data-table.tsx'
import { TimeRangePicker } from '@/ui/time-range/time-range-picker.tsx'
import { useHideDeletedChanges } from '../preferences.ts'
import { changeColumns, type SetFilter } from './change-columns.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import {
  changeFilters,
  type ChangeFilters,
  narrowing,
  noFilters,
  type Scope,
  searchBody,
  typesOf,
} from './changes.filters.ts'
import { changesQuery } from './changes.queries.ts'

const severityOptions = toOptions(changeSeverities, wordOf)
const columnsForMenu = changeColumns(() => {})

/** Changes with their filters: of the whole catalog, or of one item and those around it. */
export function ChangeList({ configId }: { configId?: string }) {
  const [filters, setFilters] = useFilters(changeFilters)
  const [hidesDeleted, setHidesDeleted] = useHideDeletedChanges()
  // Another filter starts at its first page.
  const change = (next: Partial<ChangeFilters>) => setFilters({ page: 1, ...next })
  const body = searchBody(filters, { configId, withDeleted: !hidesDeleted })
  const { data, error, isFetching, refetch } = useQuery(changesQuery(body))

  const setFilter: SetFilter = (name, value, sign) => {
    if (name === 'configTypes') change({ configType: '', configTypes: toggleTriState(typesOf(filters), value, sign) })
    // One severity is the least that is shown, so a second one replaces it.
    else if (name === 'severity') change({ severity: severityOf(filters.severity, value.toLowerCase(), sign) })
    else change({ [name]: toggleTriState(filters[name], value, sign, name === 'tags' ? byTagKey : oneGroup) })
  }
  const onCellFilter = useStable(setFilter)
  const columns = useMemo(() => changeColumns(onCellFilter), [onCellFilter])
  const [controls, chips] = useControls(filters, change, data?.changes)
  const isNarrowed = changeFilters.countActive(filters, narrowing) > 0
  const id = configId ? 'config-changes' : 'catalog-changes'
  return (
    <div className="flex h-full min-w-0 flex-col">
      <div className="flex shrink-0 flex-col gap-2 border-b border-line bg-surface px-4 py-2">
        <FilterBar
          filters={[
            ...controls,
            {
              kind: 'element',
              label: 'Time range',
              element: (
                <TimeRangePicker
                  value={filters.range}
                  onChange={(range) => change({ range: range ?? changeFilters.defaults.range })}
                />
              ),
            },
            ...(configId ? [scopeControl(filters.type_filter, (type_filter) => change({ type_filter }))] : []),
          ]}
          isActive={isNarrowed}
          onClear={() => setFilters(noFilters)}
          actions={
            <>
              <Switch label="Hide deleted" checked={hidesDeleted} onCheckedChange={setHidesDeleted} />
              <ColumnsMenu tableId={id} columns={columnsForMenu} />
            </>
          }
        />
        {chips.length > 0 && <FilterChips chips={chips} />}
      </div>
      <div className="min-h-0 flex-1">
        <DataTable<CatalogChange>
          id={id}
          label="Changes"
          columns={columns}
          rows={data?.changes}
          rowId={(row) => row.id}
          serverSort
          sort={filters.sort}
          onSortChange={(sort) => change({ sort })}
          error={data ? undefined : error}
          onRetry={() => void refetch()}
          isFetching={isFetching}
          selectedId={filters.changeId}
          onRowClick={(row) => setFilters({ changeId: row.id }, { push: true })}
          rowHeight={37}
          overscan={20}
          pagination={{
            pageIndex: filters.page - 1,
            pageSize: filters.pageSize,
            total: data?.total ?? 0,
            onChange: ({ pageIndex, pageSize }) => setFilters({ page: pageIndex + 1, pageSize }),
          }}
          empty={
            isNarrowed ? (
              <EmptyState icon={SearchX} title="No change matches these filters" />
            ) : (
              <EmptyState icon={GitCompareArrows} title="No changes in the last two days">
                What scrapers find different from the time before is kept here. Choose a longer time range to see more.
              </EmptyState>
            )
          }
        />
      </div>
      {filters.changeId && (
        <ChangeDialog
          key={filters.changeId}
          id={filters.changeId}
          configId={data?.changes.find((row) => row.id === filters.changeId)?.config_id}
          onClose={() => setFilters({ changeId: undefined })}
        />
      )}
    </div>
  )
}

const severityOf = (severity: TriState, value: string, sign: 1 | -1): TriState =>
  sign === -1 ? toggleTriState(severity, value, -1) : severity[value] === 1 ? {} : { [value]: 1 }

/** Upstream and Downstream, each on or off by itself. */
function scopeControl(scope: Scope, onChange: (scope: Scope) => void): Filter {
  const up = scope === 'upstream' || scope === 'all'
  const down = scope === 'downstream' || scope === 'all'
  const of = (isUp: boolean, isDown: boolean): Scope =>
    isUp ? (isDown ? 'all' : 'upstream') : isDown ? 'downstream' : 'none'
  const toggle = (label: string, icon: React.ReactNode, isOn: boolean, next: Scope) => (
    <button
      key={label}
      type="button"
      aria-pressed={isOn}
      onClick={() => onChange(next)}
      className={`inline-flex h-8 items-center gap-1.5 rounded-md border px-2.5 text-sm select-none hover:bg-hover ${
        isOn ? 'border-accent/40 bg-accent-soft font-medium' : 'border-line bg-surface'
      }`}
    >
      {icon}
      {label}
    </button>
  )
  return {
    kind: 'element',
    label: 'Related changes',
    element: (
      <span role="group" aria-label="Related changes" className="flex gap-1">
        {toggle('Upstream', <ArrowUpFromLine size={14} aria-hidden />, up, of(!up, down))}
        {toggle('Downstream', <ArrowDownToLine size={14} aria-hidden />, down, of(up, !down))}
      </span>
    ),
  }
}

/** The controls of the bar, and chips for everything that is filtered, also by cells. */
function useControls(
  filters: ChangeFilters,
  change: (next: Partial<ChangeFilters>) => void,
  changes: readonly CatalogChange[] | undefined,
) {
  const [opened, setOpened] = useState({ types: false, changeTypes: false, tags: false })
  const open = (what: keyof typeof opened) => () => setOpened((now) => ({ ...now, [what]: true }))
  const { data: types } = useQuery({ ...configTypesQuery, enabled: opened.types })
  const { data: changeTypes } = useQuery({ ...changeTypesQuery, enabled: opened.changeTypes })
  const { data: tags } = useQuery({ ...configTagsQuery, enabled: opened.tags })
  const { data: people } = useQuery({ ...peopleQuery(), enabled: Object.keys(filters.created_by).length > 0 })
  const [severity] = Object.entries(filters.severity).filter(([, sign]) => sign === 1)
  const controls: Filter[] = [
    {
      kind: 'signed',
      label: 'Config Type',
      options: types?.map(({ type }) => ({ value: type, label: type, icon: <Icon name={type} size={14} /> })),
      onOpen: open('types'),
      value: typesOf(filters),
      onChange: (configTypes) => change({ configType: '', configTypes }),
    },
    {
      kind: 'signed',
      label: 'Change Type',
      options: changeTypes && toOptions(changeTypes.map((row) => row.change_type)),
      onOpen: open('changeTypes'),
      value: filters.changeType,
      onChange: (changeType) => change({ changeType }),
    },
    {
      kind: 'one',
      label: 'Severity',
      options: severityOptions.map((option) => ({
        ...option,
        hint: option.value === 'critical' ? undefined : option.value === 'info' ? 'all' : 'and worse',
      })),
      value: severity?.[0],
      onChange: (value) => change({ severity: value ? { [value]: 1 } : {} }),
    },
    {
      kind: 'signed',
      label: 'Tags',
      options: tags?.map(({ key, value }) => ({ value: `${key}:${value}`, label: `${key}: ${value}` })),
      onOpen: open('tags'),
      group: byTagKey,
      value: filters.tags,
      onChange: (next) => change({ tags: next }),
    },
  ]
  const signed = (
    label: string,
    value: TriState,
    onChange: (value: TriState) => void,
    names: [string, string][] = [],
  ): Filter => ({
    kind: 'signed',
    label,
    options: names.map(([of, text]) => ({ value: of, label: text })),
    value,
    onChange,
  })
  const excludedSeverities = Object.fromEntries(Object.entries(filters.severity).filter(([, sign]) => sign === -1))
  const hidden: Filter[] = [
    signed('Severity', excludedSeverities, (next) => change({ severity: next })),
    signed(
      'Item',
      filters.id,
      (id) => change({ id }),
      (changes ?? []).map((row) => [row.config_id, row.name ?? '']),
    ),
    signed('Summary', filters.summary, (summary) => change({ summary })),
    signed('Source', filters.source, (source) => change({ source })),
    signed(
      'Created by',
      filters.created_by,
      (created_by) => change({ created_by }),
      (people ?? []).map((person) => [person.id, person.name]),
    ),
    signed('Author', filters.external_created_by, (external_created_by) => change({ external_created_by })),
  ]
  return [controls, [...controls, ...hidden].flatMap(chipsOf)] as const
}
