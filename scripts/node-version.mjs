// Stops with one clear line on a Node that is too old. Old Node versions must be able to read this file.
var parts = process.versions.node.split('.').map(Number)
if (parts[0] < 20 || (parts[0] === 20 && parts[1] < 19)) {
  console.error(
    'Quarterdeck needs Node 20.19 or later, this is Node ' +
      process.versions.node +
      ': install a newer one from https://nodejs.org and try again.',
  )
  process.exit(1)
}
