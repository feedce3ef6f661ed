// `npm start`: install and build what is missing, then run the product in this process.
// Old Node versions must be able to read this file, so that they can say what is wrong: nothing modern here.
import './node-version.mjs'

import('./bootstrap.mjs').then(function (bootstrap) {
  return bootstrap.run(['start'].concat(process.argv.slice(2)))
})
