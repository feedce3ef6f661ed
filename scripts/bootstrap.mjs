// From a fresh clone to a running command: packages, builds, then the product itself in this very process.
import * as nodeModule from 'node:module'
import { pathToFileURL } from 'node:url'
import { buildConsole, buildServer } from './lib/build.mjs'
import { installPackages } from './lib/install.mjs'
import { watchParents } from './lib/parents.mjs'
import { Problem, say } from './lib/say.mjs'

/** Commands that show the console to somebody. */
const servesConsole = new Set(['start'])

export async function run(argv) {
  watchParents(() => process.kill(process.pid, 'SIGTERM'))
  // Node 22 and later keep compiled code between starts.
  nodeModule.enableCompileCache?.()
  try {
    await installPackages('production')
    const entry = await buildServer()
    if (servesConsole.has(argv[0]) && !argv.includes('--help') && !argv.includes('-h')) await buildConsole()
    const { main } = await import(pathToFileURL(entry).href)
    await main(argv)
  } catch (error) {
    say(error instanceof Problem ? error.message : (error.stack ?? String(error)))
    process.exit(1)
  }
}
