import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { debounces, useDebounced } from '@/lib/use-debounced.ts'
import { Avatar } from '@/ui/avatar.tsx'
import { Combobox, type ComboboxProps } from '@/ui/combobox.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import type { Option } from '@/ui/option.ts'
import { agentsQuery, type Person, peopleQuery, teamsQuery } from './people.ts'
import { type Resource, type ResourceKind, resourceQuery, resourceSearchQuery, type Selector } from './resources.ts'

export type PickerProps = Pick<
  ComboboxProps<string>,
  | 'value'
  | 'onChange'
  | 'placeholder'
  | 'clearable'
  | 'disabled'
  | 'id'
  | 'className'
  | 'aria-label'
  | 'aria-labelledby'
  | 'aria-invalid'
  | 'aria-describedby'
>

const personOption = (person: Person): Option => ({
  value: person.id,
  label: person.name || person.email || person.id,
  icon: <Avatar name={person.name} src={person.avatar} size={18} />,
  hint: person.name ? person.email : undefined,
})

/** Chooses a person. */
export function PersonPicker(props: PickerProps) {
  const { data, isError } = useQuery(peopleQuery())
  return (
    <Combobox
      placeholder="Select a person"
      {...props}
      options={data?.map(personOption) ?? (isError ? [] : undefined)}
    />
  )
}

/** Chooses a team. */
export function TeamPicker(props: PickerProps) {
  const { data, isError } = useQuery(teamsQuery())
  const options = data?.map((team): Option => ({
    value: team.id,
    label: team.name,
    icon: <Icon name={team.icon} fallback="team" />,
  }))
  return <Combobox placeholder="Select a team" {...props} options={options ?? (isError ? [] : undefined)} />
}

/** Chooses an agent. */
export function AgentPicker(props: PickerProps) {
  const { data, isError } = useQuery(agentsQuery())
  const options = data?.map((agent): Option => ({
    value: agent.id,
    label: agent.name,
    icon: <Icon name="agent" />,
    hint: agent.description,
  }))
  return <Combobox placeholder="Select an agent" {...props} options={options ?? (isError ? [] : undefined)} />
}

const words: Record<ResourceKind, string> = { config: 'a catalog item', component: 'a component', check: 'a check' }

const resourceOption = (resource: Resource): Option => ({
  value: resource.id,
  label: resource.name,
  icon: <Icon name={resource.icon} fallback={resource.type} />,
  hint: [resource.type, resource.tags?.namespace ?? resource.namespace].filter(Boolean).join(' · '),
})

/** Chooses a catalog item, component or check; the server searches while somebody types. */
export function ResourcePicker({
  kind,
  selectors,
  ...props
}: PickerProps & { kind: ResourceKind; selectors?: readonly Selector[] }) {
  const [query, setQuery] = useState('')
  const [wasOpened, setOpened] = useState(false)
  const search = useDebounced(query, debounces.resources)
  const found = useQuery({ ...resourceSearchQuery(kind, search, selectors), enabled: wasOpened })
  const chosen = useQuery({ ...resourceQuery(kind, props.value ?? ''), enabled: !!props.value })
  return (
    <Combobox
      placeholder={`Select ${words[kind]}`}
      {...props}
      options={found.data?.map(resourceOption) ?? (found.isError ? [] : undefined)}
      selected={chosen.data ? resourceOption(chosen.data) : undefined}
      query={query}
      onQueryChange={setQuery}
      isLoading={found.isFetching}
      onOpen={() => setOpened(true)}
    />
  )
}

export const ConfigPicker = (props: PickerProps & { selectors?: readonly Selector[] }) => (
  <ResourcePicker kind="config" {...props} />
)
export const ComponentPicker = (props: PickerProps & { selectors?: readonly Selector[] }) => (
  <ResourcePicker kind="component" {...props} />
)
export const CheckPicker = (props: PickerProps & { selectors?: readonly Selector[] }) => (
  <ResourcePicker kind="check" {...props} />
)
