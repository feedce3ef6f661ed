// `npm run test:e2e`: the journeys alone. Words after -- narrow them: npm run test:e2e -- boot
import './node-version.mjs'

import('./lib/all-tests.mjs').then(function (tests) {
  return tests.runAll(process.argv.slice(2), { unit: false, journeys: true })
})
