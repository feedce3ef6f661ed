import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecCheck } from '@quarterdeck/contract/checks/exec'
import type { SecretText } from '@quarterdeck/contract/checks/common'
import type { CheckRun } from '../kind.ts'
import { awsAccess } from './aws.ts'
import { connectionOf, resolveText } from './credentials.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { runProgram } from '../../../platform/clients/program.ts'

type Connections = NonNullable<ExecCheck['connections']>

/** Cloud credentials for a script: files in the run's own folder and the variables that point to them. */
export async function cloudEnvironment(
  run: CheckRun,
  connections: Connections | undefined,
  folder: string,
): Promise<Record<string, string>> {
  if (!connections) return {}
  return {
    ...(connections.aws ? await aws(run, connections.aws, folder) : {}),
    ...(connections.gcp ? await gcp(run, connections.gcp, folder) : {}),
    ...(connections.azure ? await azure(run, connections.azure, folder) : {}),
    ...(connections.kubernetes ? await kubernetes(run, connections.kubernetes, folder) : {}),
  }
}

async function aws(run: CheckRun, spec: Record<string, unknown>, folder: string): Promise<Record<string, string>> {
  const access = await awsAccess(run, spec)
  const file = join(folder, '.aws-credentials')
  const lines = [`aws_access_key_id = ${access.accessKey}`, `aws_secret_access_key = ${access.secretKey}`]
  if (access.sessionToken) lines.push(`aws_session_token = ${access.sessionToken}`)
  await writeFile(file, `[default]\n${lines.join('\n')}\n`, { mode: 0o600 })
  return { AWS_EC2_METADATA_DISABLED: 'true', AWS_SHARED_CREDENTIALS_FILE: file, AWS_DEFAULT_REGION: access.region }
}

async function secretOf(run: CheckRun, spec: Record<string, unknown>, field: string): Promise<string | undefined> {
  const direct = await resolveText(run, spec[field] as SecretText | undefined)
  if (direct) return direct
  return typeof spec.connection === 'string' ? (await connectionOf(run, spec.connection)).certificate : undefined
}

async function gcp(run: CheckRun, spec: Record<string, unknown>, folder: string): Promise<Record<string, string>> {
  const key = await secretOf(run, spec, 'credentials')
  if (!key) throw new InvalidCheck('connections.gcp has no credentials')
  const file = join(folder, '.gcp-credentials.json')
  await writeFile(file, key, { mode: 0o600 })
  const env = { GOOGLE_APPLICATION_CREDENTIALS: file, CLOUDSDK_CONFIG: join(folder, '.gcloud') }
  await signIn(run, 'gcloud', ['auth', 'activate-service-account', '--key-file', file, '--quiet'], env)
  return env
}

async function azure(run: CheckRun, spec: Record<string, unknown>, folder: string): Promise<Record<string, string>> {
  const base = typeof spec.connection === 'string' ? await connectionOf(run, spec.connection) : undefined
  const id = (await resolveText(run, spec.clientID as SecretText, { secret: false })) ?? base?.username
  const secret = (await resolveText(run, spec.clientSecret as SecretText)) ?? base?.password
  const given = typeof spec.tenantID === 'string' ? spec.tenantID : undefined
  const tenant = given ?? base?.properties.tenantID ?? base?.properties.tenant
  if (!id || !secret || !tenant) throw new InvalidCheck('connections.azure needs clientID, clientSecret and tenantID')
  const env = { AZURE_CONFIG_DIR: join(folder, '.azure') }
  const script = 'az login --service-principal --username "$ID" --password "$SECRET" --tenant "$TENANT" --output none'
  await signIn(run, 'bash', ['-c', script], { ...env, ID: id, SECRET: secret, TENANT: tenant })
  return env
}

async function kubernetes(
  run: CheckRun,
  spec: Record<string, unknown>,
  folder: string,
): Promise<Record<string, string>> {
  const config = await secretOf(run, spec, 'kubeconfig')
  if (!config) throw new InvalidCheck('connections.kubernetes has no kubeconfig')
  const file = join(folder, '.kubeconfig')
  await writeFile(file, config, { mode: 0o600 })
  return { KUBECONFIG: file }
}

async function signIn(run: CheckRun, program: string, args: string[], env: Record<string, string>): Promise<void> {
  const done = await runProgram(program, args, { env, signal: run.signal })
  if (done.code !== 0) throw new Error(`signing in with ${program} failed: ${done.stderr.trim().slice(0, 1000)}`)
}
