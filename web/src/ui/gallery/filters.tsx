import { relativeRange } from '@quarterdeck/contract/time-range'
import { byTagKey } from '@quarterdeck/contract/tri-state'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { enumOf, list, optional, searchParams, text, timeRange, triState } from '@/lib/search-params.ts'
import { useFilters } from '@/lib/use-filters.ts'
import { Button } from '../button.tsx'
import { Combobox, MultiSelect } from '../combobox.tsx'
import { FilterBar } from '../filter/filter-bar.tsx'
import { toOptions } from '../option.ts'
import { HealthMark } from '../status.tsx'
import { TimeRangePicker } from '../time-range/time-range-picker.tsx'
import { Block } from './block.tsx'

const declared = searchParams({
  search: text(''),
  status: triState(),
  configTypes: triState({ 'Kubernetes::Pod': 1 }, 'type'),
  tags: triState({ 'region:eu': 1, 'region:us': 1, 'env:dev': -1, 'team:core': 1 }),
  owner: optional(),
  kinds: list(),
  time: timeRange(relativeRange('2d')),
  health: enumOf(['all', 'bad'], 'all'),
})
const types = ['Kubernetes::Pod', 'Kubernetes::Deployment', 'AWS::EC2::Instance', 'Azure::VirtualMachine']
const tags = [
  'region:eu',
  'region:us',
  'env:dev',
  'env:prod',
  'team:core',
  ...Array.from({ length: 3000 }, (_, i) => `app:service-${i}`),
]

export function Filters() {
  const [filters, setFilters] = useFilters(declared)
  const [one, setOne] = useState<string>()
  const [many, setMany] = useState<string[]>(['Kubernetes::Pod'])
  return (
    <>
      <Block title="Filter bar">
        <FilterBar
          search={{
            value: filters.search,
            onChange: (search) => setFilters({ search }),
            placeholder: 'Search catalog',
          }}
          filters={[
            {
              kind: 'signed',
              label: 'Status',
              value: filters.status,
              onChange: (status) => setFilters({ status }),
              options: ['healthy', 'warning', 'unhealthy', 'unknown'].map((value) => ({
                value,
                label: value,
                icon: <HealthMark health={value as never} size={10} />,
                hint: '12',
              })),
            },
            {
              kind: 'signed',
              label: 'Type',
              value: filters.configTypes,
              onChange: (configTypes) => setFilters({ configTypes }),
              options: toOptions(types),
            },
            {
              kind: 'signed',
              label: 'Tags',
              value: filters.tags,
              onChange: (value) => setFilters({ tags: value }),
              options: toOptions(tags),
              group: byTagKey,
            },
            {
              kind: 'one',
              label: 'Owner',
              value: filters.owner,
              onChange: (owner) => setFilters({ owner }),
              options: toOptions(['Ada', 'Grace', 'Joan']),
            },
            {
              kind: 'many',
              label: 'Kinds',
              value: filters.kinds,
              onChange: (kinds) => setFilters({ kinds }),
              options: undefined,
            },
            {
              kind: 'element',
              label: 'Time',
              element: <TimeRangePicker value={filters.time} onChange={(time) => setFilters({ time })} />,
            },
          ]}
          chips
          onClear={() => setFilters({ search: '', status: {}, configTypes: {}, tags: {}, owner: undefined, kinds: [] })}
          actions={
            <Button variant="primary" icon={Plus}>
              Add
            </Button>
          }
        />
        <pre className="mt-3 text-xs text-muted">{decodeURIComponent(declared.write(filters).toString())}</pre>
      </Block>
      <Block title="Searchable selects">
        <div className="grid max-w-2xl grid-cols-2 gap-3">
          <Combobox aria-label="Type" value={one} onChange={setOne} options={toOptions(types)} clearable creatable />
          <MultiSelect aria-label="Types" value={many} onChange={setMany} options={toOptions(types)} creatable />
        </div>
      </Block>
    </>
  )
}
