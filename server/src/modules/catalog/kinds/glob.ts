/**
 * Whether a path fits a pattern of `*`, `?`, `{a,b}` and `**`, which crosses folders. Steps through both without ever
 * going back further than one star, so that no pattern takes long.
 */
export function fitsGlob(pattern: string, path: string): boolean {
  return expand(pattern).some((one) => fitsParts(one.split('/'), path.split('/')))
}

/** Braces become several patterns; more than a hundred are nobody's intention. */
function expand(pattern: string, left = 100): string[] {
  const found = /\{([^{}]*)\}/.exec(pattern)
  if (!found || left <= 0) return [pattern]
  const [before, after] = [pattern.slice(0, found.index), pattern.slice(found.index + found[0].length)]
  return found[1]!
    .split(',')
    .flatMap((choice) => expand(before + choice + after, left - 1))
    .slice(0, 100)
}

function fitsParts(pattern: readonly string[], path: readonly string[]): boolean {
  let [p, at] = [0, 0]
  let [star, from] = [-1, 0]
  while (at < path.length) {
    if (pattern[p] === '**') {
      star = p
      from = at
      p += 1
    } else if (p < pattern.length && fitsName(pattern[p]!, path[at]!)) {
      p += 1
      at += 1
    } else if (star >= 0) {
      from += 1
      at = from
      p = star + 1
    } else return false
  }
  while (pattern[p] === '**') p += 1
  return p === pattern.length
}

function fitsName(pattern: string, name: string): boolean {
  let [p, at] = [0, 0]
  let [star, from] = [-1, 0]
  while (at < name.length) {
    if (pattern[p] === '*') {
      star = p
      from = at
      p += 1
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[at])) {
      p += 1
      at += 1
    } else if (star >= 0) {
      from += 1
      at = from
      p = star + 1
    } else return false
  }
  while (pattern[p] === '*') p += 1
  return p === pattern.length
}

export const hasGlob = (text: string): boolean => /[*?{]/.test(text)
