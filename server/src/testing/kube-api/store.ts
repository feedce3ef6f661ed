import { createHash } from 'node:crypto'
import { type ServedKind, versionOf } from './kinds.ts'

export interface KubeObject {
  apiVersion?: string
  kind?: string
  metadata: {
    name: string
    namespace?: string
    uid?: string
    resourceVersion?: string
    labels?: Record<string, string>
    [field: string]: unknown
  }
  [field: string]: unknown
}

type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED'
export interface Change {
  version: number
  type: ChangeType
  kind: ServedKind
  object: KubeObject
}

/** Objects, the version each was written at, and what happened since the oldest version that is remembered. */
export class KubeStore {
  private readonly objects = new Map<string, Map<string, KubeObject>>()
  private changes: Change[] = []
  private readonly listeners = new Set<(change: Change) => void>()
  version = 1000
  /** Watches from before this are refused. */
  oldest = 0

  constructor(readonly kinds: readonly ServedKind[]) {}

  kindOf({ apiVersion, kind }: KubeObject): ServedKind {
    const found = this.kinds.find((each) => each.kind === kind && versionOf(each) === apiVersion)
    if (!found) throw new Error(`${apiVersion}/${kind} is not served`)
    return found
  }

  put(object: KubeObject): KubeObject {
    const kind = this.kindOf(object)
    const inside = this.of(kind)
    const key = keyOf(object)
    const before = inside.get(key)
    const uid = object.metadata.uid ?? before?.metadata.uid ?? uidOf(`${kind.group}/${kind.kind}/${key}`)
    const metadata = { ...object.metadata, uid, resourceVersion: String(++this.version) }
    const stored = { ...structuredClone(object), metadata }
    inside.set(key, stored)
    this.tell({ version: this.version, type: before ? 'MODIFIED' : 'ADDED', kind, object: stored })
    return stored
  }

  remove(apiVersion: string, kind: string, namespace: string | undefined, name: string): void {
    const served = this.kindOf({ apiVersion, kind, metadata: { name } })
    const key = keyOf({ metadata: { name, namespace } })
    const before = this.of(served).get(key)
    if (!before) throw new Error(`there is no ${kind} ${key}`)
    this.of(served).delete(key)
    const object = { ...before, metadata: { ...before.metadata, resourceVersion: String(++this.version) } }
    this.tell({ version: this.version, type: 'DELETED', kind: served, object })
  }

  list(kind: ServedKind, namespace?: string): KubeObject[] {
    const list = [...this.of(kind).values()]
    const inside = namespace ? list.filter(({ metadata }) => metadata.namespace === namespace) : list
    return inside.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  }

  get = (kind: ServedKind, namespace: string | undefined, name: string): KubeObject | undefined =>
    this.of(kind).get(keyOf({ metadata: { name, namespace } }))

  since = (version: number): Change[] => this.changes.filter((change) => change.version > version)

  /** As compaction does: nobody can go on from before now. */
  forget(): void {
    this.oldest = this.version
    this.changes = []
  }

  listen(hear: (change: Change) => void): () => void {
    this.listeners.add(hear)
    return () => this.listeners.delete(hear)
  }

  private tell(change: Change): void {
    this.changes.push(change)
    for (const hear of this.listeners) hear(change)
  }

  private of(kind: ServedKind): Map<string, KubeObject> {
    const key = `${kind.group}/${kind.kind}`
    let inside = this.objects.get(key)
    if (!inside) this.objects.set(key, (inside = new Map()))
    return inside
  }
}

const keyOf = ({ metadata }: Pick<KubeObject, 'metadata'>): string => `${metadata.namespace ?? ''}/${metadata.name}`

/** The same object has the same uid in every run. */
export function uidOf(text: string): string {
  const hex = createHash('sha1').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
