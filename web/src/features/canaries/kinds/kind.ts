import { connection as connectionField } from '@/entities/connection-field.tsx'
import { icon, map, search, text, type FieldSpec } from '@/ui/form/declare.ts'
import { number, section } from '@/ui/form/declare.ts'
import type { PartKind } from '@/ui/form/spec-parts.ts'
import { template } from './template-field.tsx'

/** A kind of check that can be added; its key is its list in a canary spec, absent for a canary that starts empty. */
export interface CheckKind extends PartKind {
  /** The spec a new canary of this kind starts with. */
  start: Record<string, unknown>
}

export const everyMinute = '@every 1m'

/** A spec with one check of a kind. */
export const startWith = (key: string, check: Record<string, unknown> = {}) => ({
  schedule: everyMinute,
  [key]: [{ name: '', ...check }],
})

export const name = text('name', { required: true, hint: 'Unique within this canary' })
export const threshold = number('thresholdMillis', { label: 'Max response time', min: 0, unit: 'ms' })
export const connection = connectionField('connection', { wide: true })

/** Expressions over the result, for kinds that have one. */
export const expressions: FieldSpec = section(
  'Expressions',
  [
    template('test', { hint: 'Must give true for the check to pass' }),
    template('display', { hint: 'Gives the message of the result' }),
    template('transform', { hint: 'Turns one result into one or several checks' }),
  ],
  { collapsed: true },
)

/** What every kind has besides. */
export const details: FieldSpec = section(
  'Details',
  [
    text('description'),
    icon('icon'),
    search('severity', ['critical', 'high', 'medium', 'low', 'info']),
    map('labels', { keyLabel: 'Label' }),
  ],
  { collapsed: true },
)
