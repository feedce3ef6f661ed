// Types, lint and format count as one test each beside the suites, so that the last line tells the whole truth.
import { spawnSync } from 'node:child_process'
import { runAll } from './all-tests.mjs'
import { installPackages } from './install.mjs'
import { Problem, root, say } from './say.mjs'

const checks = [
  ['types', 'scripts/types.mjs'],
  ['lint', 'node_modules/oxlint/bin/oxlint', '--type-aware'],
  ['format', 'node_modules/oxfmt/bin/oxfmt', '--check', '.'],
]

export async function run() {
  try {
    await installPackages('all')
  } catch (error) {
    say(error instanceof Problem ? error.message : error.stack)
    process.stdout.write('0 passed, 1 failed\n')
    process.exit(1)
  }
  const outcomes = checks.map(([name, ...args]) => {
    say(`Checking ${name} …`)
    const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    if (status !== 0) say(`The ${name} check failed.`)
    return status === 0
  })
  const passed = outcomes.filter(Boolean).length
  await runAll([], { unit: true, journeys: true, before: { passed, failed: outcomes.length - passed } })
}
