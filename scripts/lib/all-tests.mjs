// Installs, builds, runs the suites, names what failed and says the total in the last line.
import { findBrowser } from './browser.mjs'
import { buildConsole, buildServer } from './build.mjs'
import { failureLines } from './failures.mjs'
import { installPackages } from './install.mjs'
import { Problem, say } from './say.mjs'
import { runJourneys, runVitest } from './suites.mjs'

export async function runAll(filters, { unit, journeys, before = [] }) {
  const outcomes = [...before]
  await attempt(outcomes, async () => {
    await installPackages('all')
    await buildServer()
    await buildConsole()
    if (unit) outcomes.push(await runVitest(filters))
    if (journeys) outcomes.push(await runJourneys(await findBrowser(), filters))
  })
  const failed = sum(outcomes, 'failed')
  process.stdout.write(failureLines(outcomes.flatMap(({ failures }) => failures)))
  process.stdout.write(`${sum(outcomes, 'passed')} passed, ${failed} failed\n`)
  process.exit(failed > 0 ? 1 : 0)
}

const sum = (outcomes, what) => outcomes.reduce((total, outcome) => total + outcome[what], 0)

/** What keeps a suite from running counts as one failure. */
async function attempt(outcomes, work) {
  try {
    await work()
  } catch (error) {
    say(error instanceof Problem ? error.message : error.stack)
    outcomes.push({ passed: 0, failed: 1, failures: [error.message.split('\n')[0]] })
  }
}
