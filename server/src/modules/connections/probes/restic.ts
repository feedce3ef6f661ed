import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../../../platform/clients/program.ts'
import { checkedAddress } from '../../../platform/clients/sockets.ts'
import { resolveConnection } from '../../../platform/resolve/connections.ts'
import type { Target } from '../../../platform/clients/run.ts'
import { need, type Probe, type ProbeRun } from './probe.ts'

/** Reading the configuration of a repository takes its password. */
export const restic: Probe = async (run, target) => {
  const repository = need(target.url, 'the address of the repository')
  const host = /:\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/]+)|^sftp:(?:[^@]*@)?([^:]+):/.exec(repository)
  // The program dials by itself; its host is held against the network policy first.
  if (host) await checkedAddress(run, (host[1] ?? host[2])!)
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-restic-'))
  try {
    const env = {
      RESTIC_REPOSITORY: repository,
      RESTIC_PASSWORD: need(target.password, 'the password'),
      HOME: folder,
      ...(await keysOf(run, target)),
    }
    const options = ['--no-cache', '--no-lock', ...(target.insecureTls ? ['--insecure-tls'] : [])]
    const done = await runProgram('restic', [...options, 'cat', 'config'], { env, cwd: folder, signal: run.signal })
    if (done.code !== 0) throw new Error((done.stderr || done.stdout).trim().slice(0, 1000) || 'restic failed')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function keysOf(run: ProbeRun, { properties }: Target): Promise<Record<string, string>> {
  const named = properties.awsConnectionName
  const reference = named?.includes('://') ? named : `connection://${named}`
  const options = { namespace: run.namespace, secrets: { add: run.secret }, signal: run.signal }
  const aws = named ? await resolveConnection(run.ctx, reference, options) : undefined
  const accessKey = properties.accessKey || aws?.username
  const secretKey = properties.secretKey || aws?.password
  return {
    ...(accessKey ? { AWS_ACCESS_KEY_ID: accessKey } : {}),
    ...(secretKey ? { AWS_SECRET_ACCESS_KEY: secretKey } : {}),
    ...(aws?.properties.region ? { AWS_DEFAULT_REGION: aws.properties.region } : {}),
  }
}
