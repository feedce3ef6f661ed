import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { from } from '@/api/data-api.ts'
import { choice, code, type FieldSpec, many, map, search, text } from '@/ui/form/declare.ts'
import { FormFields } from '@/ui/form/form-fields.tsx'
import { person, team } from '../picker-fields.tsx'
import type { FormState } from './resource-kind.ts'

/** Everything somebody can be told about. */
const notificationEvents = [
  'check.failed',
  'check.passed',
  'component.healthy',
  'component.unhealthy',
  'component.unknown',
  'component.warning',
  'config.created',
  'config.deleted',
  'config.healthy',
  'config.unhealthy',
  'config.unknown',
  'config.updated',
  'config.warning',
  'playbook.approval.inserted',
  'playbook.spec.approval.updated',
] as const

interface ConnectionName {
  id: string
  name: string
  namespace: string
  type: string
}

const connectionsQuery = {
  queryKey: ['connections', 'names'],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    from<ConnectionName>('connections_list').select('id,name,namespace,type').order('name.asc').rows({ signal }),
  meta: { relations: ['connections'], quiet: true },
}

const to = (recipient: string) => (values: Record<string, unknown>) => values.recipient === recipient

/** The fields of a notification: when, who, and in which words. */
export function NotificationForm({ readOnly }: FormState) {
  const { data: connections } = useQuery(connectionsQuery)
  const fields = useMemo((): FieldSpec[] => {
    const options = (connections ?? []).map(({ name, namespace, type }) => ({
      value: `connection://${namespace}/${name}`,
      label: name,
      hint: `${type} · ${namespace}`,
    }))
    return [
      text('title', {
        label: 'Title',
        readOnly,
        maxLength: 500,
        hint: 'A template; empty takes the words of the event',
      }),
      many('events', notificationEvents, { label: 'Events', required: true, readOnly }),
      choice(
        'recipient',
        [
          { value: 'person', label: 'Person' },
          { value: 'team', label: 'Team' },
          { value: 'others', label: 'Others' },
        ],
        { label: 'Recipient', required: true, readOnly },
      ),
      person('person_id', { label: 'Person', required: true, readOnly, when: to('person') }),
      team('team_id', { label: 'Team', required: true, readOnly, when: to('team') }),
      search('service.connection', options, {
        label: 'Connection',
        required: true,
        readOnly,
        creatable: true,
        when: to('others'),
      }),
      code('filter', {
        label: 'Filter',
        readOnly,
        size: 'very-small',
        hint: 'An expression that must hold, e.g. check.type == "http"',
      }),
      code('template', {
        label: 'Template',
        readOnly,
        size: 'medium',
        hint: 'Markdown; empty takes the words of the event',
      }),
      map('properties', { label: 'Properties', readOnly }),
    ]
  }, [connections, readOnly])
  return <FormFields fields={fields} columns={2} />
}
