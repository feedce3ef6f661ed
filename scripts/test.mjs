// `npm test`: everything that proves the product, from a fresh clone. Words after -- narrow it: npm test -- health
import './node-version.mjs'

import('./lib/all-tests.mjs').then(function (tests) {
  return tests.runAll(process.argv.slice(2), { unit: true, journeys: true })
})
