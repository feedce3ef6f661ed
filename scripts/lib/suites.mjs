// Runs the suites and counts: what passed, what failed, and what could not even run.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { playwrightFailures, vitestFailures } from './failures.mjs'
import { root } from './say.mjs'

/** The projects that need nothing but the packages; `servers` has a runner of its own. */
const projects = ['unit', 'web', 'db', 'boot'].map((name) => `--project=${name}`)

/** Everything vitest runs: unit, console, database and boot. */
export function runVitest(filters) {
  return counted(
    'vitest',
    (file) => {
      const args = [
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${file}`,
        ...projects,
        ...filters,
      ]
      return {
        program: 'node_modules/vitest/vitest.mjs',
        args: filters.length > 0 ? [...args, '--passWithNoTests'] : args,
      }
    },
    countVitest,
    filters,
  )
}

/** The journeys in a browser. */
export function runJourneys(browser, filters) {
  return counted(
    'playwright',
    (file) => {
      const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json', ...filters]
      const env = { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: file }
      return {
        program: 'node_modules/@playwright/test/cli.js',
        args: filters.length > 0 ? [...args, '--pass-with-no-tests'] : args,
        env,
      }
    },
    countPlaywright,
    filters,
  )
}

async function counted(name, describe, count, filters) {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-counts-'))
  const file = join(folder, 'report.json')
  const { program, args, env } = describe(file)
  const code = await run([join(root, program), ...args], env)
  const counts = readCounts(file, count)
  rmSync(folder, { recursive: true, force: true })
  if (counts.passed + counts.failed === 0 && filters.length === 0) {
    return { passed: 0, failed: 1, failures: [`${name} ran no test`] }
  }
  // A runner that failed although every test passed crashed, or something went wrong between tests: a failure too.
  if (code !== 0 && counts.failed === 0) {
    return { ...counts, failed: 1, failures: [`${name} ended with code ${code} although no test failed`] }
  }
  return counts
}

function run(args, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    })
    child.on('error', () => resolve(1))
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

function readCounts(file, count) {
  try {
    return count(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return { passed: 0, failed: 0, failures: [] }
  }
}

function countVitest(report) {
  const failures = vitestFailures(report)
  return { passed: report.numPassedTests, failed: failures.length, failures }
}

function countPlaywright(report) {
  const failures = playwrightFailures(report)
  return { passed: report.stats.expected + report.stats.flaky, failed: failures.length, failures }
}
