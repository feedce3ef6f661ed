// Types, lint and format count as one test each beside the suites, so that the last line tells the whole truth.
import { spawnSync } from 'node:child_process'
import { runAll } from './all-tests.mjs'
import { checkFailure, failureLines, failuresIn } from './failures.mjs'
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
    process.stdout.write(
      `${failureLines([`installing the packages: ${error.message.split('\n')[0]}`])}0 passed, 1 failed\n`,
    )
    process.exit(1)
  }
  const outcomes = checks.map(([name, ...args]) => {
    say(`Checking ${name} …`)
    const { status, stdout, stderr } = runScript(args, 'pipe')
    process.stdout.write(stdout)
    process.stderr.write(stderr)
    if (status === 0) return { passed: 1, failed: 0, failures: [] }
    say(`The ${name} check failed.`)
    return { passed: 0, failed: 1, failures: [checkFailure(name, stdout + stderr)] }
  })
  await runAll([], { unit: true, journeys: true, before: [...outcomes, runServers()] })
}

function runScript(args, stderr) {
  const stdio = ['ignore', 'pipe', stderr]
  return spawnSync(process.execPath, args, { cwd: root, stdio, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 })
}

/** Checks against real servers, where they can be installed; elsewhere the suite says why not and counts nothing. */
function runServers() {
  say('Testing against real servers …')
  const { status, stdout } = runScript(['scripts/test-servers.mjs'], 'inherit')
  const count = [...stdout.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1)
  // The total is the last line of the whole run; this one is said in other words.
  process.stdout.write(stdout.replaceAll(/^(\d+) passed, (\d+) failed$/gm, 'servers: $1 tests passed and $2 failed'))
  const named = failuresIn(stdout)
  const failures = status === 0 || named.length > 0 ? named : [`test:servers ended with code ${status}`]
  const failed = status === 0 ? 0 : Math.max(1, Number(count?.[2] ?? 0))
  return { passed: Number(count?.[1] ?? 0), failed, failures }
}
