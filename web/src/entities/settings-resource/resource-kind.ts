import type { Resource } from '@quarterdeck/contract/permissions'
import type { QueryFamily } from '@quarterdeck/contract/query-families'
import type { ComponentType } from 'react'
import { paths } from '@/app/paths.ts'
import { isObject } from '@/lib/is-object.ts'
import type { FieldSpec } from '@/ui/form/declare.ts'
import type { Person } from '../people.ts'

/** A line of a settings list. Which of the optional parts are there depends on the table. */
export interface ResourceRow {
  id: string
  name: string
  namespace?: string | null
  labels?: Record<string, string> | null
  icon?: string | null
  schedule?: string | null
  source?: string | null
  agent_id?: string | null
  agent?: { id: string | null; name: string | null } | null
  created_by: Person | null
  created_at: string | null
  updated_at?: string | null
  deleted_at?: string | null
  last_runtime?: string | null
  job_name?: string | null
  job_status?: string | null
  job_details?: { errors?: string[] | null } | null
  job_time_start?: string | null
  job_last_failed?: string | null
  [column: string]: unknown
}

/** One stored definition, all of its columns. */
export interface StoredResource {
  id: string
  updated_at: string | null
  deleted_at?: string | null
  source?: string | null
  agent_id?: string | null
  [column: string]: unknown
}

export type ResourceValues = Record<string, unknown>

export type ResourceColumn =
  | 'name'
  | 'source'
  | 'schedule'
  | 'namespace'
  | 'job_status'
  | 'last_run'
  | 'job_last_failed'
  | 'tags'
  | 'created_at'
  | 'updated_at'
  | 'created_by'

export interface FormState {
  /** Names and namespaces are settled once something is saved. */
  isNew: boolean
  /** Written elsewhere, or nobody's to change. */
  readOnly: boolean
}

/**
 * One table of settings as data: where it is read and written, what its list shows, and its form. Everything a list, a
 * dialog and a page need follows from it.
 */
export interface ResourceKind {
  table: string
  /** Where the list is read, when a view knows more than the table: the state of its jobs. */
  list?: string
  /** Columns of the list call. */
  select?: string
  resource: Resource
  /** First word of the query keys; `resources` unless the area has a family of its own. */
  family?: QueryFamily
  /** `id` unless the table is keyed by name. */
  key?: 'id' | 'name'
  /** Column of the name people know it by. */
  nameColumn?: string
  /** The list, for readers: Topologies. */
  title: string
  /** One of them, in titles and buttons: Add Topology. */
  name: string
  /** The same inside a sentence. */
  noun: string
  /** Name of an icon of ours, for lists and pickers. */
  icon: string
  /** A telling icon of one of them. */
  iconOf?(row: ResourceRow): string | undefined
  /** What it is for, where there is none yet. */
  about: string
  /** Shown only when chosen in the columns menu. */
  hidden: readonly ResourceColumn[]
  /** The table cannot say these, so they are not offered. */
  without?: readonly ResourceColumn[]
  /** Columns of this table alone, after the name. */
  extra?: readonly {
    id: string
    header: string
    size?: number
    value: (row: ResourceRow) => string | null | undefined
  }[]
  /** Column of the last run, where it is not that of the last job. */
  runColumn?: 'last_runtime'
  /** Type of the runs in the job history; without it there is no such tab. */
  jobType?: string
  /** Area whose engine acts on it; where the server has none, the form says that saving is all that happens. */
  engine?: string
  fields(state: FormState): FieldSpec[]
  /** A form of its own instead of the declared fields; loaded when it is shown. */
  Form?: ComponentType<FormState>
  /** What a new one begins with. */
  start: ResourceValues
  /** What the form edits of a stored one. */
  valuesOf(stored: StoredResource): ResourceValues
  /** What is saved of the form's values. */
  toRow(values: ResourceValues): ResourceValues
  /** Save waits until the form is valid, instead of saying what is wrong when it is pressed. */
  savesOnlyValid?: boolean
  /** Said before it is deleted. */
  deleteText: string
  /** Gone at once instead of marked: the table is keyed by a name that must become free. */
  deletesRow?: boolean
  /** Page of one; the usual address unless given. */
  pathOf?(id: string): string
}

export const listPath = (kind: ResourceKind) => paths.settingsTable(kind.table)
export const itemPath = (kind: ResourceKind, id: string) => kind.pathOf?.(id) ?? paths.settingsItem(kind.table, id)

export const nameOf = (kind: ResourceKind, row: { [column: string]: unknown }): string => {
  const name = row[kind.nameColumn ?? 'name']
  return typeof name === 'string' && name !== '' ? name : '(no name)'
}

export const keyOf = (kind: ResourceKind, row: { [column: string]: unknown }): string => String(row[kind.key ?? 'id'])

export const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})
export const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
