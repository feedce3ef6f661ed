// Writes jq.json: what the real jq answers to jq-cases.json. Run with jq 1.6 or later on the PATH.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const here = new URL('.', import.meta.url)
const cases = JSON.parse(readFileSync(new URL('jq-cases.json', here), 'utf8'))
const results = cases.map(([input, program]) => {
  const run = spawnSync('jq', ['-c', program], { input, encoding: 'utf8' })
  const outputs = run.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  return { input: JSON.parse(input), program, outputs, failed: run.status !== 0 }
})
writeFileSync(new URL('jq.json', here), `${JSON.stringify(results, null, 1)}\n`)
