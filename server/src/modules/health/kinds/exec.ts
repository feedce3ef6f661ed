import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExecCheck } from '@quarterdeck/contract/checks/exec'
import type { CheckKind } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { collectArtifacts } from './artifacts.ts'
import { resolveEnv } from './credentials.ts'
import { checkOut } from './exec-checkout.ts'
import { cloudEnvironment } from './exec-connections.ts'
import { runProgram } from '../../../platform/clients/program.ts'

const defaultSeconds = 600

export const exec: CheckKind<ExecCheck> = {
  key: 'exec',
  schema: ExecCheck,
  templatable: true,
  concurrency: 10,
  isHeavy: true,
  endpoint: (spec) => spec.name,
  timeoutMs: (spec) => (spec.timeout ?? defaultSeconds) * 1000,
  async run(run, spec) {
    if (!run.ctx.config.QUARTERDECK_EXEC)
      throw new InvalidCheck('running scripts is switched off on this server (QUARTERDECK_EXEC=off)')
    const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-exec-'))
    try {
      const env = { ...(await cloudEnvironment(run, spec.connections, folder)), ...(await resolveEnv(run, spec.env)) }
      const cwd = spec.checkout ? await checkOut(run, spec.checkout, folder) : folder
      const isWindows = process.platform === 'win32'
      const [program, args] = isWindows
        ? ['powershell', ['-NoProfile', '-Command', spec.script]]
        : ['bash', ['-c', spec.script]]
      const done = await runProgram(program, args, { cwd, env: { HOME: folder, ...env }, signal: run.signal })
      const results = { stdout: done.stdout.trim(), stderr: done.stderr.trim(), exitCode: done.code }
      const kept = await collectArtifacts(spec.artifacts, cwd, done)
      const outcome = { pass: done.code === 0, detail: results, message: shorten(results.stdout), ...kept }
      if (done.code === 0) return outcome
      const how = done.signal ? `ended by ${done.signal}` : `exit code ${done.code}`
      const words = [`${how} in ${cwd}`, `command: ${shorten(spec.script)}`]
      if (results.stdout) words.push(`stdout: ${shorten(results.stdout)}`)
      if (results.stderr) words.push(`stderr: ${shorten(results.stderr)}`)
      return { ...outcome, errors: [words.join('\n')] }
    } finally {
      await rm(folder, { recursive: true, force: true }).catch(() => undefined)
    }
  },
}

const shorten = (text: string): string => (text.length > 4000 ? `${text.slice(0, 4000)}…` : text)
