// Type-checks every workspace; the compiler prints what is wrong, we only add up the outcome.
import { spawnSync } from 'node:child_process'

let failed = false
for (const workspace of ['contract', 'server', 'web', 'e2e']) {
  const run = spawnSync('node_modules/.bin/tsc', ['-p', `${workspace}/tsconfig.json`, '--noEmit'], { stdio: 'inherit' })
  failed ||= run.status !== 0
}
process.exit(failed ? 1 : 0)
