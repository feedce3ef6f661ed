// Runs a TypeScript file of the repository: node scripts/tsx.mjs bench/api.ts
import './node-version.mjs'

import('./lib/tsx.mjs').then(function (tsx) {
  return tsx.run(process.argv.slice(2))
})
