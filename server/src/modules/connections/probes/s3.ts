import { isIP } from 'node:net'
import { s3Request } from '../../../platform/cloud/s3.ts'
import { awsAccessOf } from './aws.ts'
import { need, type Probe } from './probe.ts'

const reasons: Record<number, string> = {
  301: 'the bucket is in another region',
  307: 'the bucket is in another region',
  400: 'the request was refused; the region or the keys may be wrong',
  401: 'the keys are wrong',
  403: 'these keys may not use the bucket, or they are wrong',
  404: 'there is no such bucket',
}

export const s3: Probe = async (run, target) => {
  const access = awsAccessOf(target)
  const name = need(target.properties.bucket, 'the bucket')
  const wanted = target.properties.usePathStyle ?? target.properties.use_path_style
  const host = access.endpoint && URL.canParse(access.endpoint) ? new URL(access.endpoint).hostname : ''
  // A name cannot be put in front of an address.
  const pathStyle = wanted === 'true' || host === 'localhost' || isIP(host.replace(/^\[|\]$/g, '')) !== 0
  const answer = await s3Request(run, { access, name, pathStyle }, 'HEAD', '')
  if (answer.code < 200 || answer.code > 299)
    throw new Error(
      `${answer.url.host} answered ${answer.code}${reasons[answer.code] ? `: ${reasons[answer.code]}` : ''}`,
    )
}
