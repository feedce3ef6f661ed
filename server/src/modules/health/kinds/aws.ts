import type { SecretText } from '@quarterdeck/contract/checks/common'
import { assumeRole, type AwsAccess } from '../../../platform/cloud/aws.ts'
import type { CheckRun } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { connectionOf, resolveText } from './credentials.ts'

export * from '../../../platform/cloud/aws.ts'

export interface AwsSpec {
  connection?: string
  accessKey?: SecretText
  secretKey?: SecretText
  sessionToken?: SecretText
  assumeRole?: string
  region?: string
  endpoint?: string
  skipTLSVerify?: boolean
}

/** Keys, region and endpoint of the AWS fields and their connection; a role is assumed when one is named. */
export async function awsAccess(run: CheckRun, spec: AwsSpec): Promise<AwsAccess> {
  const base = spec.connection ? await connectionOf(run, spec.connection) : undefined
  const accessKey = (await resolveText(run, spec.accessKey, { secret: false })) ?? base?.username
  const secretKey = (await resolveText(run, spec.secretKey)) ?? base?.password
  const sessionToken = await resolveText(run, spec.sessionToken)
  if (!accessKey || !secretKey) throw new InvalidCheck('accessKey and secretKey are needed, here or in the connection')
  const insecure = spec.skipTLSVerify ?? base?.insecureTls
  const access: AwsAccess = {
    accessKey,
    secretKey,
    sessionToken,
    region: spec.region ?? base?.properties.region ?? 'us-east-1',
    endpoint: spec.endpoint ?? (base?.url || undefined),
    tls: insecure ? { rejectUnauthorized: false } : undefined,
    properties: base?.properties ?? {},
  }
  return spec.assumeRole ? assumeRole(run, access, spec.assumeRole) : access
}
