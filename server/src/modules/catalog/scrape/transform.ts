import { createHash } from 'node:crypto'
import type { Extraction } from '@quarterdeck/contract/scrapers/common'
import { type Env, sharedExpressions } from '../../../platform/expressions/expressions.ts'
import type { Found } from '../../../platform/expressions/jsonpath/jsonpath.ts'
import { asText, nodesAt } from './paths.ts'
import { applies } from './rules.ts'

type Transform = NonNullable<Extraction['transform']>

const expressions = sharedExpressions()
/** A script sees a whole document and may make many of it. */
const limits = { timeoutMs: 30_000, memoryBytes: 256 * 1024 * 1024, output: 64 * 1024 * 1024, steps: 50_000_000 }

export const hasScript = (transform: Transform | undefined): transform is Transform =>
  Boolean(transform?.javascript || transform?.gotemplate || transform?.expr || transform?.jsonpath)

/** Runs the spec's script over one document: a JSON list, each element the config of one item. */
export async function runScript(transform: Transform, env: Env): Promise<unknown[]> {
  const { javascript, gotemplate: template, expr, jsonpath: jsonPath } = transform
  if (jsonPath && !javascript && !template && !expr)
    return listOf(nodesAt(jsonPath, env.config).map(({ value }) => value))
  const { value, text } = await expressions.evaluate({ javascript, template, expr }, env, { limits })
  if (Array.isArray(value)) return value as unknown[]
  if (text.trim() === '') return []
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new Error('the transform did not give a JSON list')
  }
  if (!Array.isArray(parsed)) throw new Error('the transform did not give a JSON list')
  return parsed as unknown[]
}

/** A path to one list means its elements. */
const listOf = (found: unknown[]): unknown[] =>
  found.length === 1 && Array.isArray(found[0]) ? (found[0] as unknown[]) : found

/** Removes what the spec does not want stored. The document is changed in place. */
export function exclude(config: unknown, rules: Transform['exclude'], type: string): void {
  for (const rule of rules ?? []) {
    if (rule.types?.length && !rule.types.includes(type)) continue
    // From behind, so that places in a list stay right.
    for (const node of nodesAt(rule.jsonpath, config).reverse()) removeAt(config, node)
  }
}

/** Replaces what must not be stored as it is. The document is changed in place. */
export async function mask(config: unknown, rules: Transform['mask'], env: Env): Promise<void> {
  for (const rule of rules ?? []) {
    if (rule.selector.trim() === '' || !(await applies(rule.selector, env))) continue
    for (const node of nodesAt(rule.jsonpath, config)) {
      const value = rule.value === 'md5sum' ? md5(node.value) : rule.value
      setAt(config, node, value)
    }
  }
}

const md5 = (value: unknown): string =>
  createHash('md5')
    .update(asText(value) ?? '')
    .digest('hex')

type Holder = Record<string | number, unknown>

function holderOf(root: unknown, { location }: Found): Holder | undefined {
  let at = root
  for (const key of location.slice(0, -1)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Holder)[key]
  }
  const last = location.at(-1)
  return typeof at === 'object' && at !== null && last !== undefined && Object.hasOwn(at, last)
    ? (at as Holder)
    : undefined
}

function removeAt(root: unknown, node: Found): void {
  const holder = holderOf(root, node)
  const last = node.location.at(-1)
  if (!holder || last === undefined) return
  if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else delete holder[last]
}

function setAt(root: unknown, node: Found, value: string): void {
  const holder = holderOf(root, node)
  const last = node.location.at(-1)
  if (holder && last !== undefined)
    Object.defineProperty(holder, last, { value, enumerable: true, writable: true, configurable: true })
}
