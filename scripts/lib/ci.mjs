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
  const servers = runServers()
  const passed = outcomes.filter(Boolean).length
  const failed = outcomes.length - passed
  const before = { passed: passed + servers.passed, failed: failed + servers.failed }
  await runAll([], { unit: true, journeys: true, before })
}

/** Checks against real servers, where they can be installed; elsewhere the suite says why not and counts nothing. */
function runServers() {
  say('Testing against real servers …')
  const { status, stdout } = spawnSync(process.execPath, ['scripts/test-servers.mjs'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  const count = [...stdout.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1)
  // The total is the last line of the whole run; this one is said in other words.
  process.stdout.write(stdout.replaceAll(/^(\d+) passed, (\d+) failed$/gm, 'servers: $1 tests passed and $2 failed'))
  if (!count) return { passed: 0, failed: status === 0 ? 0 : 1 }
  return { passed: Number(count[1]), failed: status === 0 ? 0 : Math.max(1, Number(count[2])) }
}
