import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ResticCheck } from '@quarterdeck/contract/checks/restic'
import { records, word } from '../../../platform/kubernetes/object.ts'
import type { CheckKind, CheckRun } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { connectionOf, hideUserInfo, resolveText } from './credentials.ts'
import { checkedAddress } from '../../../platform/clients/sockets.ts'
import { runProgram } from '../../../platform/clients/program.ts'
import { durationOf } from './support.ts'

export const restic: CheckKind<ResticCheck> = {
  key: 'restic',
  schema: ResticCheck,
  templatable: false,
  concurrency: 4,
  isHeavy: true,
  endpoint: (spec) => spec.repository,
  timeoutMs: (spec) => (spec.checkIntegrity ? 1_800_000 : 300_000),
  async run(run, spec) {
    const maxAge = durationOf(spec.maxAge, 'maxAge')!
    const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-restic-'))
    try {
      const call = await prepare(run, spec, folder)
      const snapshots = records(JSON.parse((await call('snapshots', '--json', '--no-lock')) || '[]'))
      const newest = Math.max(...snapshots.map((snapshot) => Date.parse(word(snapshot.time))))
      if (snapshots.length === 0) return { pass: false, errors: ['the repository has no snapshot'] }
      const errors: string[] = []
      if (Date.now() - newest > maxAge)
        errors.push(`the newest snapshot is of ${new Date(newest).toISOString()}, older than ${spec.maxAge}`)
      if (spec.checkIntegrity)
        await call('check', '--no-lock').catch((error: Error) =>
          errors.push(`the repository is damaged: ${error.message}`),
        )
      return { pass: errors.length === 0, errors, message: `${snapshots.length} snapshots` }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function prepare(
  run: CheckRun,
  spec: ResticCheck,
  folder: string,
): Promise<(...args: string[]) => Promise<string>> {
  const base = spec.connection ? await connectionOf(run, spec.connection) : undefined
  const aws = spec.awsConnectionName ? await connectionOf(run, spec.awsConnectionName) : undefined
  const repository = base?.url || spec.repository
  hideUserInfo(run, repository.replace(/^rest:/, ''))
  const password = (await resolveText(run, spec.password)) ?? base?.password
  if (!password) throw new InvalidCheck('there is no password for the repository')
  const host = /:\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/]+)|^sftp:(?:[^@]*@)?([^:]+):/.exec(repository)
  // The program dials by itself; its host is held against the network policy first.
  if (host) await checkedAddress(run, (host[1] ?? host[2])!)
  const env: Record<string, string> = { RESTIC_REPOSITORY: repository, RESTIC_PASSWORD: password, HOME: folder }
  const accessKey = (await resolveText(run, spec.accessKey, { secret: false })) ?? aws?.username
  const secretKey = (await resolveText(run, spec.secretKey)) ?? aws?.password
  if (accessKey) env.AWS_ACCESS_KEY_ID = accessKey
  if (secretKey) env.AWS_SECRET_ACCESS_KEY = secretKey
  const options = ['--no-cache']
  if (spec.caCert) {
    const file = spec.caCert.includes('BEGIN CERTIFICATE') ? join(folder, 'ca.pem') : spec.caCert
    if (file !== spec.caCert) await writeFile(file, spec.caCert)
    options.push('--cacert', file)
  }
  return async (...args) => {
    const done = await runProgram('restic', [...options, ...args], { env, cwd: folder, signal: run.signal })
    if (done.code !== 0)
      throw new Error(`restic ${args[0]} failed: ${(done.stderr || done.stdout).trim().slice(0, 1000)}`)
    return done.stdout
  }
}
