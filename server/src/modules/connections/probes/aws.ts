import { type AwsAccess, awsQuery } from '../../../platform/cloud/aws.ts'
import type { Target } from '../../../platform/clients/run.ts'
import { need, type Probe, tlsOf } from './probe.ts'

export function awsAccessOf(target: Target): AwsAccess {
  const { username, password, properties, url, insecureTls } = target
  return {
    accessKey: need(username, 'the access key'),
    secretKey: need(password, 'the secret key'),
    sessionToken: properties.sessionToken || undefined,
    region: properties.region || 'us-east-1',
    endpoint: url || undefined,
    tls: tlsOf({ ...target, insecureTls: insecureTls || properties.insecureTLS === 'true' }),
    properties,
  }
}

export const aws: Probe = async (run, target) => {
  await awsQuery(run, awsAccessOf(target), 'sts', { Action: 'GetCallerIdentity', Version: '2011-06-15' })
}
