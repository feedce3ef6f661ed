import type { ForeignKey, Relation, Relationship } from './model.ts'

export interface UniqueKey {
  relation: string
  columns: string[]
  primary: boolean
}

/** Every relationship there is, by where it starts: foreign keys both ways, the same through views, and link tables. */
export function relationshipsOf(
  relations: Map<string, Relation>,
  keys: readonly ForeignKey[],
  unique: readonly UniqueKey[],
): Map<string, Relationship[]> {
  const all = new Map<string, Relationship[]>()
  const add = (relationship: Relationship) => {
    const list = all.get(relationship.from)
    if (list) list.push(relationship)
    else all.set(relationship.from, [relationship])
  }
  const showing = showingIn(relations)
  for (const key of keys) {
    const single = unique.some(
      (u) => u.relation === key.from && u.columns.every((column) => key.columns.includes(column)),
    )
    for (const from of showing(key.from, key.columns)) {
      for (const to of showing(key.to, key.referenced)) addBothWays(add, key.name, from, to, single)
    }
  }
  for (const link of linkTables(keys, unique)) {
    for (const from of showing(link.left.to, link.left.referenced)) {
      for (const to of showing(link.right.to, link.right.referenced)) {
        add({
          constraint: `${link.left.name}, ${link.right.name}`,
          from: from.relation,
          to: to.relation,
          cardinality: 'many-to-many',
          on: [],
          outgoing: false,
          middle: {
            relation: link.left.from,
            constraints: [link.left.name, link.right.name],
            from: from.columns.map((here, i) => ({ here, there: link.left.columns[i]! })),
            to: to.columns.map((here, i) => ({ here, there: link.right.columns[i]! })),
          },
        })
      }
    }
  }
  return all
}

interface Shown {
  relation: string
  columns: string[]
}

function addBothWays(add: (r: Relationship) => void, constraint: string, from: Shown, to: Shown, single: boolean) {
  const on = from.columns.map((column, i) => ({ from: column, to: to.columns[i]! }))
  add({
    constraint,
    from: from.relation,
    to: to.relation,
    cardinality: single ? 'one-to-one' : 'many-to-one',
    on,
    outgoing: true,
  })
  add({
    constraint,
    from: to.relation,
    to: from.relation,
    cardinality: single ? 'one-to-one' : 'one-to-many',
    on: on.map((pair) => ({ from: pair.to, to: pair.from })),
    outgoing: false,
  })
}

/** The table itself and every view that shows all the given columns of it, under the names they have there. */
function showingIn(relations: Map<string, Relation>) {
  const views = [...relations.values()].filter((relation) => relation.kind === 'view')
  return (table: string, columns: readonly string[]): Shown[] => {
    const shown: Shown[] = [{ relation: table, columns: [...columns] }]
    for (const view of views) {
      const names = columns.map((column) => nameInView(view, table, column))
      if (!names.includes(undefined)) shown.push({ relation: view.name, columns: names as string[] })
    }
    return shown
  }
}

function nameInView(view: Relation, table: string, column: string): string | undefined {
  const candidates = [...view.columns.values()].filter(
    (c) => c.origin?.relation === table && c.origin.column === column,
  )
  return (candidates.find((c) => c.name === column) ?? candidates[0])?.name
}

/** Tables whose primary key holds two foreign keys link what these point to, in both directions. */
function linkTables(keys: readonly ForeignKey[], unique: readonly UniqueKey[]) {
  const links: { left: ForeignKey; right: ForeignKey }[] = []
  for (const left of keys) {
    const primary = unique.find((u) => u.primary && u.relation === left.from)
    if (!primary) continue
    for (const right of keys) {
      if (right === left || right.from !== left.from) continue
      if ([...left.columns, ...right.columns].every((column) => primary.columns.includes(column)))
        links.push({ left, right })
    }
  }
  return links
}
