import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JmeterCheck } from '@quarterdeck/contract/checks/jmeter'
import type { CheckKind } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { readCsv } from './csv.ts'
import { resolveText } from './credentials.ts'
import { runProgram } from '../../../platform/clients/program.ts'
import { durationOf } from './support.ts'

export const jmeter: CheckKind<JmeterCheck> = {
  key: 'jmeter',
  schema: JmeterCheck,
  templatable: false,
  concurrency: 2,
  isHeavy: true,
  endpoint: (spec) => `${spec.host ?? ''}${spec.port ? `:${spec.port}` : ''}`,
  timeoutMs: () => 1_800_000,
  async run(run, spec) {
    const limit = durationOf(spec.responseDuration, 'responseDuration')
    const plan = await resolveText(run, spec.jmx, { secret: false })
    if (!plan) throw new InvalidCheck('jmx is empty')
    const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-jmeter-'))
    try {
      const [planFile, resultFile] = [join(folder, 'plan.jmx'), join(folder, 'result.csv')]
      await writeFile(planFile, plan)
      const args = [
        '-n',
        '-t',
        planFile,
        '-l',
        resultFile,
        '-j',
        join(folder, 'jmeter.log'),
        '-Jjmeter.save.saveservice.output_format=csv',
      ]
      if (spec.host) args.push(`-Jhost=${spec.host}`)
      if (spec.port) args.push(`-Jport=${spec.port}`)
      for (const property of spec.properties ?? []) args.push(`-J${property}`)
      for (const property of spec.systemProperties ?? []) args.push(`-D${property}`)
      const done = await runProgram('jmeter', args, { cwd: folder, signal: run.signal })
      const csv = await readFile(resultFile, 'utf8').catch(() => '')
      if (done.code !== 0 || csv === '')
        throw new Error(
          `jmeter gave no result (exit code ${done.code}): ${(done.stderr || done.stdout).trim().slice(-1000)}`,
        )
      return judgeSamples(readCsv(csv), limit, spec.responseDuration)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

export function judgeSamples(samples: Record<string, string>[], limit: number | undefined, limitText?: string) {
  const failed = samples.filter((sample) => sample.success?.toLowerCase() !== 'true')
  const total = samples.reduce((sum, sample) => sum + (Number(sample.elapsed) || 0), 0)
  const errors: string[] = failed
    .slice(0, 10)
    .map(({ label, responseCode, failureMessage, responseMessage }) =>
      [label, responseCode, failureMessage || responseMessage].filter(Boolean).join(': '),
    )
  if (failed.length > 10) errors.push(`and ${failed.length - 10} more failed samples`)
  if (samples.length === 0) errors.push('the plan made no samples')
  if (limit !== undefined && total > limit) errors.push(`all samples together took ${total} ms, more than ${limitText}`)
  return { pass: errors.length === 0, errors, duration: total, message: `${samples.length} samples in ${total} ms` }
}
