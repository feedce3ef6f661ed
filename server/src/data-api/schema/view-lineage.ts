/** Where a view's output column comes from: a table or view (by oid) and the number of the column there. */
export interface Origin {
  relation: number
  column: number
}

/**
 * Reads the origins of a view's columns out of its stored query tree. PostgreSQL notes for every output column that is
 * a plain column reference which relation it was read from, through joins, subqueries and common table expressions, so
 * no SQL has to be understood here. Only entries of the outermost query count: they are nested two braces deep.
 */
export function viewOrigins(tree: string): Map<number, Origin> {
  const origins = new Map<number, Origin>()
  let depth = 0
  let start = -1
  for (let i = 0; i < tree.length; i++) {
    const char = tree[i]
    // Names and constants escape the characters that mean something to the tree's own syntax.
    if (char === '\\') i++
    else if (char === '{') {
      depth++
      if (depth === 2 && tree.startsWith('{TARGETENTRY ', i)) start = i
    } else if (char === '}') {
      if (depth === 2 && start >= 0) {
        noteOrigin(origins, tree.slice(start, i))
        start = -1
      }
      depth--
    }
  }
  return origins
}

function noteOrigin(origins: Map<number, Origin>, entry: string) {
  // The entry's own fields follow the expression it holds, so the last mention is the one that belongs to it.
  const own = entry.slice(entry.lastIndexOf(':resno '))
  const resno = number(own, 'resno')
  const relation = number(own, 'resorigtbl')
  const column = number(own, 'resorigcol')
  if (resno && relation && column) origins.set(resno, { relation, column })
}

function number(text: string, field: string): number {
  const match = new RegExp(`:${field} (\\d+)`).exec(text)
  return match ? Number(match[1]) : 0
}
