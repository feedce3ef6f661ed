// .ci/run: install, check, test. A check that fails does not keep the tests from running; the last line counts both.
import './node-version.mjs'

import('./lib/ci.mjs').then(function (ci) {
  return ci.run()
})
