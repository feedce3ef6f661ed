import { type KubernetesObject, record, records, word } from '../../../../platform/kubernetes/object.ts'
import { matchesList } from '../../../../platform/selectors/match-list.ts'
import { wishesOf } from './annotations.ts'
import { externalIdOf, type Identity, identityOf } from './names.ts'

/** What is remembered of an object once it has been handed on. */
export interface Known extends Identity {
  id: string
  /** Of pods only: selectors are about them. */
  labels?: Record<string, string>
  /** First owner, for those that stand between two others. */
  owner?: { uid: string; apiVersion: string; kind: string }
  ignoreChanges: string[]
  ignoreSeverities: string[]
}

export interface Selector {
  matchLabels: Record<string, unknown>
  matchExpressions: Record<string, unknown>[]
}

/** The objects of one cluster by uid, by name and, for pods, by label. */
export class ClusterIndex {
  private readonly byId = new Map<string, Known>()
  private readonly byName = new Map<string, Known>()
  /** Without the group; core kinds win over others of the same name. */
  private readonly byKind = new Map<string, Known>()
  private readonly pods = new Map<string, Map<string, Known>>()

  constructor(private readonly clusterName: string) {}

  add(object: KubernetesObject): Known {
    const identity = identityOf(object)
    const metadata = record(object.metadata)
    const [owner] = records(metadata.ownerReferences)
    const { ignoreChanges, ignoreSeverities } = wishesOf(object)
    const known: Known = { ...identity, id: externalIdOf(identity, this.clusterName), ignoreChanges, ignoreSeverities }
    if (owner) known.owner = { uid: word(owner.uid), apiVersion: word(owner.apiVersion), kind: word(owner.kind) }
    if (isPod(known)) {
      known.labels = record(metadata.labels) as Record<string, string>
      let inside = this.pods.get(known.namespace)
      if (!inside) this.pods.set(known.namespace, (inside = new Map()))
      inside.set(known.id, known)
    }
    this.byId.set(known.id, known)
    this.byName.set(nameKey(known.group, known.kind, known.namespace, known.name), known)
    const key = nameKey(known.kind, known.namespace, known.name)
    if (known.group === '' || this.byKind.get(key)?.group !== '') this.byKind.set(key, known)
    return known
  }

  remove(id: string): void {
    const known = this.byId.get(id)
    if (!known) return
    this.byId.delete(id)
    this.pods.get(known.namespace)?.delete(id)
    const key = nameKey(known.group, known.kind, known.namespace, known.name)
    // Another of the same name may have taken its place already.
    if (this.byName.get(key)?.id === id) this.byName.delete(key)
    const short = nameKey(known.kind, known.namespace, known.name)
    if (this.byKind.get(short)?.id === id) this.byKind.delete(short)
  }

  get = (id: string): Known | undefined => this.byId.get(id)

  named = (group: string, kind: string, namespace: string, name: string): Known | undefined =>
    this.byName.get(nameKey(group, kind, namespace, name))

  /** By kind alone, for references that do not say their group. */
  anyNamed = (kind: string, namespace: string, name: string): Known | undefined =>
    this.byKind.get(nameKey(kind, namespace, name))

  podsOf(namespace: string, selector: Selector): Known[] {
    return [...(this.pods.get(namespace)?.values() ?? [])].filter(({ labels = {} }) => fits(labels, selector))
  }

  get size(): number {
    return this.byId.size
  }
}

const isPod = ({ group, kind }: Identity) => group === '' && kind === 'Pod'
const nameKey = (...parts: string[]): string => parts.join('/')

function fits(labels: Record<string, string>, { matchLabels, matchExpressions }: Selector): boolean {
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, operator, values }) => {
      const label = labels[word(key)]
      const among = Array.isArray(values) && label !== undefined && values.includes(label)
      switch (operator) {
        case 'In':
          return among
        case 'NotIn':
          return !among
        case 'Exists':
          return label !== undefined
        case 'DoesNotExist':
          return label === undefined
        default:
          return false
      }
    })
  )
}

export interface Exclusions {
  name?: string[]
  kind?: string[]
  namespace?: string[]
  labels?: Record<string, string>
}

/** Whether a list of patterns names a value; an empty list names nothing. */
export const names = (list: readonly string[] | undefined, value: string): boolean =>
  list !== undefined && list.length > 0 && matchesList(list, value)

export function isExcluded(object: KubernetesObject, { name, kind, namespace, labels }: Exclusions = {}): boolean {
  const metadata = record(object.metadata)
  const own = record(metadata.labels)
  return (
    names(kind, word(object.kind)) ||
    names(name, word(metadata.name)) ||
    (word(metadata.namespace) !== '' && names(namespace, word(metadata.namespace))) ||
    (word(object.kind) === 'Namespace' && names(namespace, word(metadata.name))) ||
    Object.entries(labels ?? {}).some(([label, value]) => label in own && names([value], word(own[label])))
  )
}
