import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { serverFolder } from './paths.ts'

const here = dirname(fileURLToPath(import.meta.url))
const sources = join(serverFolder, 'src')

/**
 * Starts a worker thread from a file named `*-worker.ts`, given relative to server/src without its ending
 * (`platform/expressions/cel-worker`). The bundler makes each such file an entry of its own; tests run the source.
 */
export function startThread(file: string, options: WorkerOptions = {}): Worker {
  if (here.startsWith(sources)) {
    // Node 20 does not run a loader on a thread's first file, so the first one is a line that registers it.
    const entry = JSON.stringify(pathToFileURL(join(sources, `${file}.ts`)).href)
    const line = `import('tsx/esm/api').then(({ register }) => { register(); return import(${entry}) })`
    return new Worker(line, { ...options, eval: true, execArgv: options.execArgv ?? [] })
  }
  return new Worker(join(bundleFolder(here), `${file}.js`), options)
}

/** Shared chunks lie beside the entries or one level below, so the entry tells where the bundle begins. */
function bundleFolder(folder: string): string {
  return existsSync(join(folder, 'main.js')) ? folder : bundleFolder(dirname(folder))
}
