import { isUtf8 } from 'node:buffer'
import { Composer, type Document, isNode, isScalar, LineCounter, Parser, visit } from 'yaml'
import { tooDeepAt } from './nesting.ts'
import type { Problem } from './problem.ts'

/** One document as it stands in a file, before anybody asked whether it makes sense. */
export interface SourceDocument {
  file: string
  /** From 1. */
  index: number
  line: number
  value: unknown
  /** Where a part of it stands; the nearest part that is there when the path leads nowhere. */
  lineOf(path: readonly PropertyKey[]): number
}

export interface ParsedFile {
  documents: SourceDocument[]
  problems: Problem[]
}

export interface FileLimits {
  bytes: number
  documents: number
}
/** Files of the watched folder are read beside everything else a server does. */
export const watchedLimits: FileLimits = { bytes: 1024 * 1024, documents: 2000 }
/** A command may take its time: what `quarterdeck export` wrote of a large server must go in again. */
export const commandLimits: FileLimits = { bytes: 64 * 1024 * 1024, documents: 100_000 }
const maxAliases = 100
const maxProblems = 20

/** Reads all documents of a YAML or JSON file. Never throws: what is wrong is a problem, and the other documents come through. */
export function parseFile(file: string, bytes: Buffer, limits = watchedLimits): ParsedFile {
  const refuse = (message: string, line?: number): ParsedFile => ({
    documents: [],
    problems: [{ file, line, message }],
  })
  if (bytes.length > limits.bytes) return refuse(`the file is larger than ${limits.bytes / 1024} KiB; split it`)
  if (!isUtf8(bytes)) return refuse('the file is not UTF-8 text')
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  const deep = tooDeepAt(text)
  if (deep) return refuse('this is nested too deeply', deep.line)

  const lines = new LineCounter()
  const parsed: ParsedFile = { documents: [], problems: [] }
  let index = 0
  let frames = 0
  for (const document of compose(text, lines)) {
    if (++frames > limits.documents) {
      parsed.problems.push({ file, message: `a file has at most ${limits.documents} documents` })
      return parsed
    }
    if (isEmpty(document)) continue
    index++
    const read = readDocument(file, index, document, lines)
    if (Array.isArray(read)) parsed.problems.push(...read)
    else parsed.documents.push(...unpackList(read))
  }
  return parsed
}

function* compose(text: string, lines: LineCounter): Generator<Document.Parsed> {
  // A stack trace per mistake would cost more than the parsing, and nobody reads it.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    // Own check of unique keys below: the library's compares every key with every other.
    const composer = new Composer({ merge: true, uniqueKeys: false, logLevel: 'silent', lineCounter: lines })
    yield* composer.compose(new Parser(lines.addNewLine).parse(text)) as Generator<Document.Parsed>
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

const isEmpty = (document: Document.Parsed) =>
  document.errors.length === 0 &&
  (document.contents === null || (isScalar(document.contents) && document.contents.value === null))

function readDocument(
  file: string,
  index: number,
  document: Document.Parsed,
  lines: LineCounter,
): SourceDocument | Problem[] {
  const lineAt = (offset: number | undefined) => (offset === undefined ? undefined : lines.linePos(offset).line)
  const problem = (message: string, offset?: number): Problem => ({
    file,
    document: index,
    line: lineAt(offset),
    message,
  })
  const first = document.contents?.range?.[0] ?? document.range[0]

  const mistakes = [...document.errors, ...document.warnings]
  if (mistakes.length > 0) {
    return mistakes.slice(0, maxProblems).map((mistake) => problem(firstLine(mistake.message), mistake.pos[0]))
  }
  const twice = repeatedKey(document)
  if (twice) return [problem(`the key ${twice.key} is given twice`, twice.offset)]
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: maxAliases })
  } catch (error) {
    const bomb = error instanceof ReferenceError
    return [
      problem(
        bomb ? 'its aliases expand to too much' : `it cannot be read: ${firstLine((error as Error).message)}`,
        first,
      ),
    ]
  }
  const unstorable = whyUnstorable(value)
  if (unstorable) return [problem(unstorable, first)]
  return {
    file,
    index,
    line: lineAt(first) ?? 1,
    value,
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const node: unknown = document.getIn(path.slice(0, length), true)
        if (isNode(node) && node.range) return lineAt(node.range[0]) ?? 1
      }
      return lineAt(first) ?? 1
    },
  }
}

const firstLine = (text: string) => text.split('\n')[0]!.replace(/:$/, '')

function repeatedKey(document: Document.Parsed): { key: string; offset: number } | undefined {
  let found: { key: string; offset: number } | undefined
  visit(document, {
    Map(_, map) {
      const seen = new Set<string>()
      for (const { key } of map.items) {
        if (!isScalar(key) || key.value === '<<') continue
        const name = String(key.value)
        if (seen.has(name)) {
          found = { key: JSON.stringify(name), offset: key.range?.[0] ?? 0 }
          return visit.BREAK
        }
        seen.add(name)
      }
      return undefined
    },
  })
  return found
}

/** Why the database could not keep a value, if so: it points at itself, or holds characters that PostgreSQL has no place for. */
function whyUnstorable(value: unknown): string | undefined {
  let json: string
  try {
    json = JSON.stringify(value) ?? ''
  } catch {
    return 'an anchor refers to itself'
  }
  if (json.includes(String.raw`\u0000`)) return 'it holds a null character'
  // JSON.stringify writes lone surrogates as escapes.
  if (/\\ud[89a-f]/i.test(json.replaceAll('\\\\', ''))) return 'it holds half a character (a lone surrogate)'
  return undefined
}

/** `kind: List` is several documents in one. */
function unpackList(source: SourceDocument): SourceDocument[] {
  const { value } = source
  if (!isObject(value) || value.kind !== 'List' || !Array.isArray(value.items)) return [source]
  return value.items.map((item: unknown, at) => ({
    ...source,
    value: item,
    line: source.lineOf(['items', at]),
    lineOf: (path) => source.lineOf(['items', at, ...path]),
  }))
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
