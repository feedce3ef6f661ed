import {
  apiVersions,
  type DocumentKind,
  documentKinds,
  Envelope,
  kindDefinition,
  type ResourceDocument,
} from '@quarterdeck/contract/documents'
import type { z } from 'zod'
import { isObject, type SourceDocument } from './parse.ts'
import { pathText, type Problem } from './problem.ts'
// The rules of a spec come with its area.
import './kinds/all.ts'

export interface SourcedDocument {
  document: ResourceDocument
  source: SourceDocument
}
export type Validation =
  | { ok: true; document: ResourceDocument }
  | { ok: false; problems: Problem[]; identity?: Identity }

/** What a document is about. Known even of some that are wrong elsewhere, so that their rows are not taken for removed. */
export interface Identity {
  kind: DocumentKind
  namespace: string
  name: string
}

const maxProblems = 20

export function validateDocument(source: SourceDocument): Validation {
  const { file, index, value } = source
  const problem = (message: string, path: readonly PropertyKey[] = []): Problem => ({
    file,
    document: index,
    line: source.lineOf(path),
    ...(path.length > 0 && { path: pathText(path) }),
    message,
  })
  const fromIssues = (issues: readonly z.core.$ZodIssue[], prefix: readonly PropertyKey[] = []) =>
    issues
      .slice(0, maxProblems)
      .map((issue) => problem(messageOf(issue), [...prefix, ...issue.path, ...extraKey(issue)]))

  // Many a JSON file beside the documents is something else altogether; one line says so.
  if (!isObject(value) || (value.apiVersion === undefined && value.kind === undefined))
    return { ok: false, problems: [problem('a document is an object with apiVersion, kind, metadata and spec')] }
  const envelope = Envelope.safeParse(value)
  if (!envelope.success)
    return { ok: false, problems: fromIssues(envelope.error.issues), identity: guessIdentity(value) }
  const { kind, apiVersion, metadata } = envelope.data
  const identity = identityOf({ kind, metadata })
  if (apiVersion !== apiVersions[kind]) {
    return { ok: false, problems: [problem(`must be ${apiVersions[kind]}`, ['apiVersion'])], identity }
  }
  const spec = kindDefinition(kind).spec.safeParse(value.spec)
  if (!spec.success) return { ok: false, problems: fromIssues(spec.error.issues, ['spec']), identity }
  // The spec as written, not as parsed: defaults belong to whoever runs it.
  return { ok: true, document: { apiVersion, kind, metadata, spec: value.spec as Record<string, unknown> } }
}

export const identityOf = ({ kind, metadata }: Pick<ResourceDocument, 'kind' | 'metadata'>): Identity => ({
  kind,
  namespace: metadata.namespace ?? '',
  name: metadata.name,
})

function guessIdentity(value: Record<string, unknown>): Identity | undefined {
  const { kind, metadata } = value
  if (!documentKinds.includes(kind as DocumentKind) || !isObject(metadata) || typeof metadata.name !== 'string')
    return undefined
  return {
    kind: kind as DocumentKind,
    namespace: typeof metadata.namespace === 'string' ? metadata.namespace : '',
    name: metadata.name,
  }
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.length === 1 ? 'this key is not known' : `these keys are not known: ${issue.keys.join(', ')}`
  if (issue.message.endsWith('received undefined')) return 'this is needed'
  return issue.message
}
const extraKey = (issue: z.core.$ZodIssue): string[] =>
  issue.code === 'unrecognized_keys' && issue.keys.length === 1 ? [issue.keys[0]!] : []
