import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'

/** One file of the built console, as the bundler lists it. */
interface Built {
  file: string
  name?: string
  imports?: string[]
}
type Manifest = Record<string, Built>

const entry = 'index.html'
/** What nearly every page is made of, see web/vite.config.ts. */
const kit = 'kit'
const session = /(?:^|;\s*)(?:ory_kratos_session|__session)=/

/**
 * The files of the page behind an address, as a Link header: they come beside the shell instead of after it has run. Only
 * for visitors with a session; others are led to sign-in, which needs none of them.
 */
export function preloadsOf(folder: string, request: FastifyRequest): string | undefined {
  if (!session.test(request.headers.cookie ?? '')) return undefined
  const manifest = manifestOf(folder)
  if (!manifest) return undefined
  const area = /^\/([a-z-]+)\/?(?:\?|$)/.exec(request.url)?.[1]
  const page = `src/features/${area}/${area}-page.tsx`
  const wanted = Object.hasOwn(manifest, page)
    ? page
    : Object.keys(manifest).find((key) => manifest[key]!.name === kit && !manifest[key]!.file.endsWith('.css'))
  if (!wanted) return undefined
  const there = withImports(manifest, entry)
  const files = [...withImports(manifest, wanted)].filter((file) => !there.has(file))
  // The script that asks the first questions is wanted before any of them.
  return ['</early.js>; rel=preload; as=script', ...files.map((file) => `</${file}>; rel=modulepreload`)].join(', ')
}

function withImports(manifest: Manifest, start: string): Set<string> {
  const files = new Set<string>()
  const visit = (key: string) => {
    const built = manifest[key]
    if (!built || files.has(built.file)) return
    files.add(built.file)
    built.imports?.forEach(visit)
  }
  visit(start)
  return files
}

const read = new Map<string, { mtime: number; manifest: Manifest }>()

/** Read again when the console was built anew under a running server; while it is being written there is none. */
function manifestOf(folder: string): Manifest | undefined {
  const path = join(folder, '.vite', 'manifest.json')
  try {
    const mtime = statSync(path).mtimeMs
    let known = read.get(path)
    if (known?.mtime !== mtime)
      read.set(path, (known = { mtime, manifest: JSON.parse(readFileSync(path, 'utf8')) as Manifest }))
    return known.manifest
  } catch {
    return undefined
  }
}
