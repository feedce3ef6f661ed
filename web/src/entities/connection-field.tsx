import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { from } from '@/api/data-api.ts'
import { ComboboxField } from '@/ui/form/basic-fields.tsx'
import { custom, type FieldOptions, type FieldSpec } from '@/ui/form/declare.ts'
import type { FieldProps } from '@/ui/form/field.tsx'
import { Icon } from '@/ui/icons/icon.tsx'

interface ConnectionName {
  id: string
  name: string
  namespace: string
  type: string
}

/** Names and types, without anything secret: whoever may not see connections can still choose one. */
const connectionNamesQuery = queryOptions({
  queryKey: ['connections', 'names'],
  queryFn: ({ signal }) =>
    from<ConnectionName>('connections_list').select('id,name,namespace,type').order('name.asc').rows({ signal }),
  meta: { relations: ['connections'], quiet: true },
})

/** Chooses a connection by its name; a reference to one that is not there yet, or an address, can be typed. */
function ConnectionField({ types, ...props }: FieldProps & { types?: readonly string[] }) {
  const { data = [], isLoading } = useQuery(connectionNamesQuery)
  const options = useMemo(
    () =>
      data
        .filter(({ type }) => !types || types.includes(type))
        .map(({ name, namespace, type }) => ({
          value: `connection://${namespace}/${name}`,
          label: `connection://${namespace}/${name}`,
          icon: <Icon name={type} fallback="connection" />,
          hint: type,
        })),
    [data, types],
  )
  return (
    <ComboboxField
      placeholder="connection://namespace/name"
      {...props}
      options={options}
      creatable
      isLoading={isLoading}
    />
  )
}

/** A declared field that names a connection, of some types or of any: connection('awsConnection.connection', { types: ['aws'] }) */
export const connection = (
  name: string,
  { types, ...options }: FieldOptions & { types?: readonly string[] } = {},
): FieldSpec =>
  custom(name, {
    ...options,
    render: (field) => <ConnectionField {...(field as FieldProps)} types={types} />,
  })
