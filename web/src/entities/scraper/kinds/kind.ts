import {
  choice,
  duration,
  envVar,
  type FieldSpec,
  icon,
  list,
  map,
  number,
  section,
  text,
  toggle,
} from '@/ui/form/declare.ts'
import type { PartKind } from '@/ui/form/spec-parts.ts'
import { lookup } from '../lookup-field.tsx'
import { rows } from '../rows-field.tsx'
import { script } from '../script-field.tsx'

/** A kind of source that can be scraped; its key is its list in a scraper spec. */
export interface ScraperKind extends PartKind {
  key: string
  about: string
  /** The spec a new scraper of this kind starts with. */
  start: Record<string, unknown>
}

/** A spec with one source of a kind. */
export const startWith = (key: string, source: Record<string, unknown>, schedule = '@every 60m') => ({
  schedule,
  [key]: [source],
})

export const connection = text('connection', { placeholder: 'connection://namespace/name', wide: true })

const place = (name: string, options: Parameters<typeof text>[1] = {}) =>
  text(name, { placeholder: '$.path', ...options })

/** Where the parts of an item are found in a document. */
export function mapping({ needsId = false, format = true }: { needsId?: boolean; format?: boolean } = {}): FieldSpec[] {
  return [
    place('type', { required: needsId, placeholder: 'Provider::Kind', hint: 'A text, or a JSONPath' }),
    place('id', { label: 'ID', required: needsId, hint: 'A text, or a JSONPath into the document' }),
    place('name'),
    place('class'),
    ...(format ? [choice('format', ['json', 'yaml', 'properties'], { placeholder: 'json' })] : []),
    place('items', { hint: 'JSONPath that splits one document into many items' }),
    place('status'),
    place('health'),
    place('description'),
  ]
}

/** What can be said about the items of any kind. */
export const itemDetails: FieldSpec = section(
  'Labels, tags and times',
  [
    map('labels', { keyLabel: 'Label', hint: 'For items that do not have them' }),
    rows(
      'tags',
      'tag',
      [
        text('name', { required: true }),
        text('value'),
        text('label', { hint: 'Takes the value of this label' }),
        text('jsonpath', { label: 'JSONPath' }),
      ],
      { start: { name: '' }, hint: 'At most 5' },
    ),
    list('createFields', { itemLabel: 'JSONPath', placeholder: '$.created', hint: 'Where the time of creation is' }),
    list('deleteFields', { itemLabel: 'JSONPath', placeholder: '$.deleted', hint: 'Where the time of deletion is' }),
    text('timestampFormat', { placeholder: 'RFC3339' }),
  ],
  { collapsed: true },
)

/** What becomes of a document before it is stored. */
export const transform: FieldSpec = section(
  'Transform',
  [
    script,
    rows(
      'transform.exclude',
      'exclusion',
      [text('jsonpath', { label: 'JSONPath', required: true }), list('types', { itemLabel: 'Type' })],
      { start: { jsonpath: '' }, label: 'Exclude', hint: 'Parts of documents that are not stored' },
    ),
    rows(
      'transform.mask',
      'mask',
      [
        text('selector', { required: true, placeholder: "config_type == 'Kubernetes::Secret'", hint: 'CEL' }),
        text('jsonpath', { label: 'JSONPath', required: true }),
        text('value', { required: true, placeholder: 'md5sum' }),
      ],
      {
        start: { selector: '', jsonpath: '', value: 'md5sum' },
        label: 'Mask',
        hint: 'Values that are not stored as they are',
      },
    ),
    rows(
      'transform.relationship',
      'relationship',
      [
        text('filter', { hint: 'CEL', wide: true }),
        text('expr', { label: 'Selectors', hint: 'CEL that gives a list of selectors', wide: true }),
        lookup('id', { label: 'ID' }),
        lookup('external_id', { label: 'External ID' }),
        lookup('name'),
        lookup('namespace'),
        lookup('type'),
        lookup('scope'),
        toggle('parent', { hint: 'What is found stands above the item' }),
      ],
      { label: 'Relationships', hint: 'Which other items belong to an item' },
    ),
    rows(
      'transform.changes.mapping',
      'mapping',
      [
        text('filter', { required: true, hint: 'CEL over change and patch', wide: true }),
        text('type'),
        text('severity'),
        choice('action', ['delete', 'ignore']),
        text('summary', { hint: 'Go template' }),
      ],
      { start: { filter: '' }, label: 'Change mapping' },
    ),
    list('transform.changes.exclude', { label: 'Exclude changes', itemLabel: 'CEL expression' }),
  ],
  { collapsed: true },
)

export const itemIcon = icon('icon')

/** A way into AWS. */
export const awsConnection: FieldSpec[] = [
  connection,
  envVar('accessKey'),
  envVar('secretKey'),
  envVar('sessionToken'),
  list('region', { itemLabel: 'Region', placeholder: 'eu-west-1' }),
  text('endpoint'),
  text('assumeRole', { label: 'Assume role', placeholder: 'arn:aws:iam::123456789012:role/name' }),
  toggle('skipTLSVerify', { label: 'Skip TLS verification' }),
]

/** Of scrapers that read a cluster. */
export const crdSync: FieldSpec = toggle('crdSync', {
  when: (spec) => Boolean(spec.kubernetes),
  label: 'Sync documents',
  hint: 'Canaries, topologies, playbooks and other documents of this product in the cluster become resources here',
})

/** When a scraper runs and for how long things are kept; the same for every kind. */
export const retention: FieldSpec = section(
  'Retention',
  [
    text('retention.staleItemAge', {
      label: 'Stale item age',
      placeholder: '24h',
      hint: 'Items not seen for so long are deleted; keep never deletes',
    }),
    rows(
      'retention.changes',
      'rule',
      [
        text('name', { required: true, hint: 'Change type', placeholder: 'diff' }),
        duration('age', { hint: 'Older ones go', placeholder: '30d' }),
        number('count', { min: 0, hint: 'So many of each item stay' }),
      ],
      { start: { name: '' }, label: 'Changes' },
    ),
    rows(
      'retention.types',
      'type',
      [
        text('name', { placeholder: 'Kubernetes::Pod' }),
        duration('createdAge', { label: 'Created age' }),
        duration('updatedAge', { label: 'Updated age' }),
        duration('deletedAge', { label: 'Deleted age' }),
      ],
      { start: { name: '' }, label: 'Types' },
    ),
  ],
  { collapsed: true },
)
