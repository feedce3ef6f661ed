// Writes gotemplate.json: what Go's text/template answers to gotemplate-cases.json. Needs Go 1.23 or later.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = new URL('.', import.meta.url)
const input = readFileSync(new URL('gotemplate-cases.json', here))
const run = spawnSync('go', ['run', fileURLToPath(new URL('goharness/main.go', here))], {
  input,
  encoding: 'utf8',
  maxBuffer: 1e8,
})
if (run.status !== 0) throw new Error(run.stderr)
writeFileSync(new URL('gotemplate.json', here), run.stdout)
