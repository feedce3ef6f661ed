import { randomBytes } from 'node:crypto'
import { S3Check } from '@quarterdeck/contract/checks/s3'
import type { CheckKind } from '../kind.ts'
import { awsAccess, awsText } from './aws.ts'
import { listObjects, s3Request } from '../../../platform/cloud/s3.ts'

const bucketOf = (spec: S3Check): string =>
  spec.bucketName ?? (typeof spec.bucket === 'string' ? spec.bucket : (spec.bucket?.name ?? ''))

/** Lists the bucket, writes a small object, reads it back and removes it. */
export const s3: CheckKind<S3Check> = {
  key: 's3',
  schema: S3Check,
  templatable: false,
  endpoint: (spec) => `${spec.endpoint ?? ''}/${bucketOf(spec)}`,
  async run(run, spec) {
    const access = await awsAccess(run, spec)
    const style = spec.usePathStyle ?? (access.properties.usePathStyle ?? access.properties.use_path_style) === 'true'
    const bucket = { access, name: bucketOf(spec) || access.properties.bucket || '', pathStyle: style }
    const prefix = spec.objectPath?.replace(/\/$/, '')
    await listObjects(run, bucket, { prefix, most: 1 })
    const content = randomBytes(8).toString('hex')
    const key = `${prefix ? `${prefix}/` : ''}quarterdeck-${run.check.id}`
    awsText(await s3Request(run, bucket, 'PUT', key, content), `writing ${key}`)
    try {
      const read = awsText(await s3Request(run, bucket, 'GET', key), `reading ${key}`)
      if (read !== content) return { pass: false, errors: [`${key} was read back with other content than was written`] }
    } finally {
      // Who may not delete still has a working bucket.
      await s3Request(run, bucket, 'DELETE', key).catch(() => undefined)
    }
    return { pass: true }
  },
}
