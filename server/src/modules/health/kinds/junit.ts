import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JunitCheck } from '@quarterdeck/contract/checks/junit'
import type { CheckKind } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { collector } from './artifacts.ts'
import { junitPod } from './junit-pod.ts'
import { readJunit, totalsOf } from './junit-xml.ts'
import { globPattern } from './support.ts'

export const junit: CheckKind<JunitCheck> = {
  key: 'junit',
  schema: JunitCheck,
  templatable: true,
  concurrency: 4,
  isHeavy: true,
  endpoint: (spec) => spec.name,
  timeoutMs: (spec) => (spec.timeout + 1) * 60_000,
  async run(run, spec) {
    // Without a pod the results are made by somebody else, on this machine.
    const files = spec.spec ? await junitPod(run, spec) : await localFiles(spec.testResults)
    const xml = files.filter(({ path }) => path.endsWith('.xml'))
    if (xml.length === 0) throw new Error(`no XML result was found in ${spec.testResults}`)
    const suites = xml.flatMap(({ path, content }) => {
      try {
        return readJunit(content.toString('utf8'))
      } catch (error) {
        throw new Error(`${path}: ${(error as Error).message}`, { cause: error })
      }
    })
    const totals = totalsOf(suites)
    const failed = suites.flatMap((suite) =>
      suite.tests.filter(({ status }) => status === 'failed' || status === 'error'),
    )
    const errors: string[] = []
    if (failed.length > 0 && !spec.test) {
      errors.push(
        `${failed.length} of ${totals.passed + totals.failed + totals.error} tests failed: ${failed
          .slice(0, 5)
          .map(({ name }) => name)
          .join(', ')}`,
      )
    }
    const globs = (spec.artifacts ?? []).map(({ path }) => globPattern(path))
    const kept = collector()
    for (const { path, content } of files)
      if (globs.some((glob) => glob.test(path) || glob.test(join(spec.testResults, path))))
        await kept.take({ path, size: content.length }, () => content)
    return {
      pass: errors.length === 0,
      errors,
      duration: totals.duration * 1000,
      detail: { suites, totals, ...totals },
      message: `${totals.passed} passed, ${totals.failed + totals.error} failed, ${totals.skipped} skipped`,
      artifacts: kept.artifacts,
      notes: kept.notes,
    }
  },
}

async function localFiles(folder: string): Promise<{ path: string; content: Buffer }[]> {
  const entries = await readdir(folder, { recursive: true }).catch((error: Error) => {
    throw new InvalidCheck(`testResults: ${error.message}`)
  })
  const names = entries.filter((name) => name.endsWith('.xml')).slice(0, 1000)
  return Promise.all(names.map(async (path) => ({ path, content: await readFile(join(folder, path)) })))
}
