import { createTwoFilesPatch } from 'diff'
import { type Json, normalText } from './canonical.ts'
import { mergePatch } from './merge-patch.ts'

export interface DocumentDiff {
  /** Unified, with the labels before and after. */
  diff: string
  /** previous → new */
  patches: Json
  /** new → previous; what rebuilding an earlier version applies. */
  undo: Json
  summary: string
}

/** Lines compared exactly; beyond this the unified text is left out rather than spend seconds on one item. */
const maxDiffLines = 20_000
const maxSummary = 500

/** What differs between two canonical documents; undefined when nothing does. */
export function diffDocuments(before: Json, after: Json): DocumentDiff | undefined {
  const [old, now] = [normalText(before), normalText(after)]
  if (old === now) return undefined
  const patches = mergePatch(before, after)
  const lines = Math.max(countLines(old), countLines(now))
  const unified =
    lines > maxDiffLines
      ? `--- before\n+++ after\n@@ too long to show line by line (${lines} lines) @@\n`
      : createTwoFilesPatch('before', 'after', old, now, undefined, undefined, { context: 3, timeout: 250 })
  return {
    diff: (unified ?? '').replace(/^=+\n/, ''),
    patches,
    undo: mergePatch(after, before),
    summary: summarize(patches),
  }
}

/** Changed leaves; of several below one parent only the parent. */
export function summarize(patch: Json): string {
  const leaves: string[][] = []
  collect(patch, [], leaves)
  if (leaves.length <= 1) return leaves.map((path) => path.join('.')).join('')
  const parents = new Set(leaves.map((path) => (path.length > 1 ? path.slice(0, -1) : path).join('.')))
  const text = [...parents].sort().join(', ')
  return text.length > maxSummary ? `${text.slice(0, maxSummary)}…` : text
}

/** More places than these are not told apart by anybody. */
const maxLeaves = 1000

function collect(value: Json, path: string[], leaves: string[][]): void {
  if (leaves.length >= maxLeaves) return
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
    for (const [key, inner] of Object.entries(value)) collect(inner, [...path, key], leaves)
  } else leaves.push(path)
}

const countLines = (text: string): number => {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
