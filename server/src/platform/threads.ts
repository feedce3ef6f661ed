import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
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
    return new Worker(join(sources, `${file}.ts`), {
      ...options,
      execArgv: [...(options.execArgv ?? []), '--import', 'tsx'],
    })
  }
  return new Worker(join(bundleFolder(here), `${file}.js`), options)
}

/** Shared chunks lie beside the entries or one level below, so the entry tells where the bundle begins. */
function bundleFolder(folder: string): string {
  return existsSync(join(folder, 'main.js')) ? folder : bundleFolder(dirname(folder))
}
