import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExecScraper } from '@quarterdeck/contract/scrapers/exec'
import { runProgram } from '../../../platform/clients/program.ts'
import { InvalidScraper, type ScraperKind } from './kind.ts'
import { envOf } from './support.ts'

const defaultSeconds = 600
const maxOutput = 64 * 1024 * 1024
const shownWords = 2000

/** A script; what it prints is the document, a list is one item each. */
export const exec: ScraperKind<ExecScraper> = {
  key: 'exec',
  schema: ExecScraper,
  concurrency: 5,
  async *scrape(run, spec) {
    if (!run.ctx.config.QUARTERDECK_EXEC)
      throw new InvalidScraper('running scripts is switched off on this server (QUARTERDECK_EXEC=off)')
    const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-scrape-'))
    try {
      const env = { HOME: folder, ...(await envOf(run, spec.env)) }
      const seconds = spec.timeout ?? defaultSeconds
      const signal = AbortSignal.any([run.signal, AbortSignal.timeout(seconds * 1000)])
      const [program, args] =
        process.platform === 'win32'
          ? ['powershell', ['-NoProfile', '-Command', spec.script]]
          : ['bash', ['-c', spec.script]]
      const done = await runProgram(program, args, { cwd: folder, env, signal, maxOutput }).catch((error: Error) => {
        throw error.name === 'TimeoutError' ? new Error(`the script ran longer than ${seconds} s`) : error
      })
      const words = done.stderr.trim()
      if (done.code !== 0) {
        const how = done.signal ? `ended by ${done.signal}` : `exit code ${done.code}`
        throw new Error(`the script failed: ${how}${words ? `: ${words.slice(0, shownWords)}` : ''}`)
      }
      if (words) run.log.info({ stderr: words.slice(0, shownWords) }, 'the script wrote to its error output')
      yield { item: { config: done.stdout, source: 'script' } }
    } finally {
      await rm(folder, { recursive: true, force: true }).catch(() => undefined)
    }
  },
}
