#!/usr/bin/env node
// The command line of the product. Old Node versions must be able to read this file: nothing modern here.
import './node-version.mjs'

import('./bootstrap.mjs').then(function (bootstrap) {
  return bootstrap.run(process.argv.slice(2))
})
