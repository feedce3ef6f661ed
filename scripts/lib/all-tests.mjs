// Installs, builds, runs the suites and says the total in the last line.
import { findBrowser } from './browser.mjs'
import { buildConsole, buildServer } from './build.mjs'
import { installPackages } from './install.mjs'
import { Problem, say } from './say.mjs'
import { runJourneys, runVitest } from './suites.mjs'

export async function runAll(filters, { unit, journeys, before = { passed: 0, failed: 0 } }) {
  const totals = { ...before }
  const add = ({ passed, failed }) => {
    totals.passed += passed
    totals.failed += failed
  }
  await attempt(totals, async () => {
    await installPackages('all')
    await buildServer()
    await buildConsole()
    if (unit) add(await runVitest(filters))
    if (journeys) add(await runJourneys(await findBrowser(), filters))
  })
  process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`)
  process.exit(totals.failed > 0 ? 1 : 0)
}

/** What keeps a suite from running counts as one failure. */
async function attempt(totals, work) {
  try {
    await work()
  } catch (error) {
    totals.failed += 1
    say(error instanceof Problem ? error.message : error.stack)
  }
}
