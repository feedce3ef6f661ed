import { ValueError } from '../errors.ts'

export interface Semver {
  major: number
  minor: number
  patch: number
  prerelease: string
  metadata: string
  original: string
}

const pattern = /^v?(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/

export function parseSemver(text: string): Semver {
  const found = pattern.exec(text.trim())
  if (!found) throw new ValueError(`"${text.slice(0, 60)}" is not a version such as 1.2.3`)
  return {
    major: Number(found[1]),
    minor: Number(found[2] ?? 0),
    patch: Number(found[3] ?? 0),
    prerelease: found[4] ?? '',
    metadata: found[5] ?? '',
    original: text,
  }
}

function comparePrerelease(left: string, right: string): number {
  if (left === right) return 0
  // A release comes after its pre-releases.
  if (left === '' || right === '') return left === '' ? 1 : -1
  const [a, b] = [left.split('.'), right.split('.')]
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [x, y] = [a[i], b[i]]
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1
    if (x === y) continue
    const [numericX, numericY] = [/^\d+$/.test(x), /^\d+$/.test(y)]
    if (numericX && numericY) return Number(x) < Number(y) ? -1 : 1
    if (numericX !== numericY) return numericX ? -1 : 1
    return x < y ? -1 : 1
  }
  return 0
}

export function compareSemver(left: Semver, right: Semver): number {
  for (const part of ['major', 'minor', 'patch'] as const) {
    if (left[part] !== right[part]) return left[part] < right[part] ? -1 : 1
  }
  return comparePrerelease(left.prerelease, right.prerelease)
}

interface Bound {
  version: Semver
  /** How many of major, minor, patch were written; the rest is free. */
  parts: number
  operator: string
}

const boundPattern = /^\s*(=|==|!=|>=|=>|<=|=<|>|<|~>|~|\^)?\s*(v?[\dxX*][^\s,|]*)\s*/

function parseBound(text: string): { bound: Bound; rest: string } {
  const found = boundPattern.exec(text)
  if (!found) throw new ValueError(`"${text.trim().slice(0, 60)}" is not a version constraint`)
  const [written, suffix = ''] = found[2]!.split(/(?=[-+])/, 2) as [string, string?]
  const numbers = written.replace(/^v/, '').split('.')
  const free = numbers.findIndex((part) => /^[xX*]$/.test(part))
  const parts = free < 0 ? Math.min(numbers.length, 3) : free
  const fixed = numbers.slice(0, parts)
  const version = parseSemver([...fixed, ...Array(3 - parts).fill('0')].join('.') + (parts === 3 ? suffix : ''))
  return { bound: { version, parts, operator: found[1] ?? '=' }, rest: text.slice(found[0].length) }
}

/** The first version after all that share the first `parts` numbers. */
function after(version: Semver, parts: number): Semver {
  const next = {
    ...version,
    prerelease: '',
    minor: parts > 1 ? version.minor : 0,
    patch: parts > 2 ? version.patch : 0,
  }
  if (parts >= 3) next.patch++
  else if (parts === 2) next.minor++
  else next.major++
  return next
}

function within(version: Semver, { version: bound, parts, operator }: Bound): boolean {
  if (parts === 0) return operator !== '!=' && operator !== '>' && operator !== '<'
  // A pre-release only satisfies a constraint that names one.
  if (version.prerelease !== '' && bound.prerelease === '' && operator !== '!=') return false
  const order = compareSemver(version, bound)
  const below = (parts: number) => compareSemver(version, after(bound, parts)) < 0
  switch (operator) {
    case '!=':
      return parts === 3 ? order !== 0 : order < 0 || !below(parts)
    case '>':
      return parts === 3 ? order > 0 : !below(parts)
    case '>=':
    case '=>':
      return order >= 0
    case '<':
      return order < 0
    case '<=':
    case '=<':
      return parts === 3 ? order <= 0 : below(parts)
    case '~':
    case '~>':
      return order >= 0 && below(Math.min(parts, 2))
    case '^': {
      const first = bound.major > 0 || parts === 1 ? 1 : bound.minor > 0 || parts === 2 ? 2 : 3
      return order >= 0 && below(first)
    }
    default:
      return parts === 3 ? order === 0 : order >= 0 && below(parts)
  }
}

/** `>= 1.2, < 2 || ^3.1`, `1.x`, `~1.2`, `1.2 - 1.4`: commas and blanks mean and, `||` means or. */
export function satisfies(constraint: string, version: string): boolean {
  const given = parseSemver(version)
  return constraint.split('||').some((group) => {
    let rest = group.replace(/(\S+)\s+-\s+(\S+)/g, '>=$1 <=$2').trim()
    let fits = true
    if (rest === '') throw new ValueError('the version constraint is empty')
    while (rest !== '') {
      const read = parseBound(rest)
      fits &&= within(given, read.bound)
      rest = read.rest.replace(/^,/, '').trim()
    }
    return fits
  })
}
