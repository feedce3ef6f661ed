import { lazy } from 'react'
import { paths, withQuery } from '@/app/paths.ts'
import { isObject } from '@/lib/is-object.ts'
import { objectOf, type ResourceKind, type StoredResource, textOf } from '../resource-kind.ts'

export type Recipient = 'person' | 'team' | 'others'

/** Who is told, by which of the three places is filled. */
const recipientOf = (stored: StoredResource): Recipient =>
  stored.person_id ? 'person' : stored.team_id ? 'team' : 'others'

const servicesOf = ({ custom_services: services }: StoredResource): unknown[] =>
  Array.isArray(services) ? services : []

export const notification: ResourceKind = {
  table: 'notifications',
  resource: 'notifications',
  nameColumn: 'title',
  title: 'Notifications',
  name: 'Notification',
  noun: 'notification',
  icon: 'bell',
  about: 'A notification says who is told about which events, and through which channel.',
  hidden: [],
  without: ['schedule', 'namespace', 'tags', 'job_status', 'last_run', 'job_last_failed'],
  extra: [
    {
      id: 'events',
      header: 'Events',
      size: 300,
      value: (row) => (Array.isArray(row.events) ? row.events.join(', ') : undefined),
    },
  ],
  fields: () => [],
  engine: 'notifications',
  Form: lazy(async () => ({ default: (await import('../notification-form.tsx')).NotificationForm })),
  start: {
    title: '',
    events: [],
    recipient: 'person',
    person_id: '',
    team_id: '',
    service: {},
    filter: '',
    template: '',
  },
  valuesOf: (stored) => ({
    title: stored.title ?? '',
    events: stored.events ?? [],
    recipient: recipientOf(stored),
    person_id: stored.person_id ?? '',
    team_id: stored.team_id ?? '',
    service: objectOf(servicesOf(stored)[0]),
    // The form shows one; what other clients added stays.
    moreServices: servicesOf(stored).slice(1),
    filter: stored.filter ?? '',
    template: stored.template ?? '',
    properties: objectOf(stored.properties),
  }),
  toRow: ({ recipient, service, moreServices, ...values }) => {
    const { name, ...rest } = objectOf(service)
    return {
      title: textOf(values.title) || null,
      events: values.events,
      // Switching the recipient clears the other two.
      person_id: recipient === 'person' ? values.person_id : null,
      team_id: recipient === 'team' ? values.team_id : null,
      custom_services:
        recipient === 'others'
          ? [{ ...rest, name: textOf(name) || 'default' }, ...(Array.isArray(moreServices) ? moreServices : [])]
          : null,
      filter: textOf(values.filter) || null,
      template: typeof values.template === 'string' && values.template.trim() !== '' ? values.template : null,
      properties: isObject(values.properties) && Object.keys(values.properties).length > 0 ? values.properties : null,
    }
  },
  deleteText: 'Nobody is told by it any more. What was sent stays in the history.',
  pathOf: (id) => withQuery(paths.notifications, { id }),
}
