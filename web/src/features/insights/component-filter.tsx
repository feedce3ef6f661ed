import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { resourceQuery, resourceSearchQuery } from '@/entities/resources.ts'
import { debounces, useDebounced } from '@/lib/use-debounced.ts'
import { Button } from '@/ui/button.tsx'
import { FilterControl } from '@/ui/filter/filter-control.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import { OptionList } from '@/ui/option-list.tsx'

/** The filter by component: its options are searched by the server. */
export function ComponentFilter({ value, onChange }: { value: string; onChange: (component: string) => void }) {
  const [query, setQuery] = useState('')
  const [wasOpened, setOpened] = useState(false)
  const search = useDebounced(query, debounces.resources)
  const found = useQuery({ ...resourceSearchQuery('component', search), enabled: wasOpened })
  const chosen = useQuery({ ...resourceQuery('component', value), enabled: value !== '' })
  const options = found.data?.map(({ id, name, type, icon }) => ({
    value: id,
    label: name,
    hint: type,
    icon: <Icon name={icon} fallback={type ?? 'component'} />,
  }))
  return (
    <FilterControl
      label="Component"
      summary={value === '' ? undefined : (chosen.data?.name ?? value)}
      onOpen={() => setOpened(true)}
    >
      {(close) => (
        <OptionList
          label="Component"
          mode="one"
          options={options ?? (found.isError ? [] : undefined)}
          query={query}
          onQueryChange={setQuery}
          isLoading={found.isFetching}
          stateOf={(id) => (id === value ? 1 : 0)}
          onPick={(id) => {
            onChange(id === value ? '' : id)
            close()
          }}
          footer={
            value !== '' && (
              <Button variant="ghost" size="sm" className="w-full" onClick={() => onChange('')}>
                Clear Component
              </Button>
            )
          }
        />
      )}
    </FilterControl>
  )
}
