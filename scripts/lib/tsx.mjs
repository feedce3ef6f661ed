// Installs what is missing first, so that a bench is one command from a fresh clone too.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { installPackages } from './install.mjs'
import { Problem, root, say } from './say.mjs'

export async function run(args) {
  try {
    await installPackages('all')
  } catch (error) {
    say(error instanceof Problem ? error.message : error.stack)
    process.exit(1)
  }
  const child = spawn(process.execPath, [join(root, 'node_modules/tsx/dist/cli.mjs'), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 130 : 1)))
}
