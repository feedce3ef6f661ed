import { benchIngest } from './catalog/ingest.ts'
import { measureReads } from './catalog/read.ts'
import { say, withDatabase } from './support/database.ts'

/**
 * npm run bench:catalog: reading a catalog of 100,000 items and a million changes with eight readers, and scraping
 * 10,000 items, on the embedded database, with the same SQL through the plain driver beside it. Words after -- narrow
 * it: read, ingest. With --smoke the numbers are small and only show that everything runs.
 */
const words = process.argv.slice(2)
const smoke = words.includes('--smoke')
const parts = ['read', 'ingest'].filter((part) => words.includes(part))
const wants = (part: string) => parts.length === 0 || parts.includes(part)

const settings = ['max_connections=100', 'shared_buffers=256MB']
const met: boolean[] = []
if (wants('read')) met.push(await withDatabase({ settings }, (url) => measureReads({ url, smoke, say })))
if (wants('ingest'))
  met.push(
    await withDatabase({ settings }, async (url) => {
      const figures = await benchIngest(url, smoke ? 500 : 10_000, say)
      return figures.every(({ ms, limitMs }) => limitMs === undefined || ms <= limitMs)
    }),
  )
// Small numbers say nothing about the aims; there only a failure counts.
process.exitCode = smoke || met.every(Boolean) ? 0 : 1
