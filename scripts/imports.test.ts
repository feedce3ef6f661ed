import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Directions the linter cannot see, because they depend on where both ends lie. */

const root = fileURLToPath(new URL('..', import.meta.url))

interface Import {
  file: string
  target: string
}

function importsBelow(folder: string): Import[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .flatMap((name) => {
      const file = join(root, folder, name)
      const text = readFileSync(file, 'utf8')
      const found = [...text.matchAll(/(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)/g)]
      return found.map((match) => ({ file: relative(root, file), target: resolveTarget(file, match[1] ?? match[2]!) }))
    })
}

function resolveTarget(file: string, target: string): string {
  if (target.startsWith('.')) return relative(root, resolve(dirname(file), target))
  return target.startsWith('@/') ? `web/src/${target.slice(2)}` : target
}

const partOf = (path: string, folder: string) =>
  path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : undefined

/** Lower ones are called by higher ones; to speak upward a module publishes an event. */
const layers = [
  ['people', 'flags', 'jobs', 'events', 'system', 'selectors'],
  ['connections', 'notifications'],
  ['catalog', 'health', 'topology', 'logs'],
  ['playbooks'],
  ['incidents'],
  ['agents', 'resources', 'integrations', 'search'],
]
const layerOf = (module: string) => layers.findIndex((layer) => layer.includes(module))

test('every module of the server has its layer', () => {
  const modules = readdirSync(join(root, 'server/src/modules'))
  expect(modules.filter((module) => layerOf(module) < 0)).toEqual([])
})

test('a module calls downward only', () => {
  const all = importsBelow('server/src/modules')
  expect(all.length).toBeGreaterThan(100)
  const wrong = all.filter(({ file, target }) => {
    const from = partOf(file, 'server/src/modules')
    const to = partOf(target, 'server/src/modules')
    return from && to && from !== to && layerOf(to) > layerOf(from)
  })
  expect(wrong).toEqual([])
})

test('a feature of the console leaves other features alone', () => {
  const wrong = importsBelow('web/src/features').filter(({ file, target }) => {
    const to = partOf(target, 'web/src/features')
    return to && to !== partOf(file, 'web/src/features')
  })
  expect(wrong).toEqual([])
})
