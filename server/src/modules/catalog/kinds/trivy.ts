import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseDuration } from '@quarterdeck/contract/schedule'
import { TrivyScraper } from '@quarterdeck/contract/scrapers/trivy'
import { runProgram } from '../../../platform/clients/program.ts'
import { InvalidTarget } from '../../../platform/clients/run.ts'
import { InvalidScraper, type ScraperKind, type ScrapeRun } from './kind.ts'
import { kubeconfigOf } from './kubernetes/cluster.ts'
import { trivyArguments } from './trivy/arguments.ts'
import { complianceOf, findingsOf } from './trivy/report.ts'

const maxOutput = 256 * 1024 * 1024
const defaultTimeout = '60m'
const shownWords = 2000

/** What the program trivy finds in the objects of a cluster, as insights of them. */
export const trivy: ScraperKind<TrivyScraper> = {
  key: 'trivy',
  schema: TrivyScraper,
  concurrency: 1,
  async *scrape(run, spec) {
    const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-trivy-'))
    try {
      const version = await versionOf(run, spec)
      const given = await kubeconfigOf(run, spec.kubernetes)
      const kubeconfig = given?.includes('\n') ? join(folder, 'kubeconfig') : given
      if (given && kubeconfig !== given) await writeFile(kubeconfig!, given, { mode: 0o600 })
      const report = await call(run, spec, trivyArguments(spec, { version, kubeconfig }))
      yield* findingsOf(report, spec.kubernetes.clusterName)
      for (const name of spec.compliance ?? []) {
        const summary = await call(run, spec, trivyArguments(spec, { version, kubeconfig, compliance: name }))
        yield* complianceOf(summary, name, spec.kubernetes.clusterName)
      }
    } finally {
      await rm(folder, { recursive: true, force: true }).catch(() => undefined)
    }
  },
}

/** `0.49.1`; the flags differ between versions. */
async function versionOf(run: ScrapeRun, { version }: TrivyScraper): Promise<string> {
  const { stdout } = await program(run, ['--version'], AbortSignal.timeout(30_000))
  const found = /Version:\s*v?(\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? ''
  const wanted = version?.replace(/^v/, '')
  if (wanted && found !== wanted && !found.startsWith(`${wanted}.`))
    throw new InvalidScraper(`trivy ${wanted} is wanted, but ${found || 'an unknown version'} is installed`)
  return found
}

async function call(run: ScrapeRun, spec: TrivyScraper, args: string[]): Promise<unknown> {
  const limit = (parseDuration(spec.timeout ?? defaultTimeout) ?? 3_600_000) + 30_000
  const { code, signal, stdout, stderr } = await program(run, args, AbortSignal.timeout(limit))
  if (code !== 0) {
    const how = signal ? `ended by ${signal}` : `exit code ${code}`
    throw new Error(`trivy failed: ${how}: ${lastWords(stderr)}`)
  }
  try {
    return JSON.parse(stdout)
  } catch (error) {
    throw new Error(`trivy printed no JSON: ${lastWords(stderr) || stdout.trim().slice(0, 200)}`, { cause: error })
  }
}

const lastWords = (text: string): string => text.trim().slice(-shownWords)

async function program(run: ScrapeRun, args: string[], limit: AbortSignal) {
  // Its database of vulnerabilities is large and kept between runs.
  const env = { TRIVY_CACHE_DIR: join(tmpdir(), 'quarterdeck-trivy-cache'), TRIVY_NO_PROGRESS: 'true' }
  try {
    return await runProgram('trivy', args, { env, signal: AbortSignal.any([run.signal, limit]), maxOutput })
  } catch (error) {
    throw error instanceof InvalidTarget ? new InvalidScraper(error.message) : error
  }
}
