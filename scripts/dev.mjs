// `npm run dev`: the server restarts and the console reloads when a source changes.
import './node-version.mjs'

import('./lib/dev.mjs').then(function (dev) {
  return dev.run(process.argv.slice(2))
})
