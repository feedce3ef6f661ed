import type { FolderCheck } from '@quarterdeck/contract/checks/folder'
import { readProperties } from '../../../platform/properties.ts'
import type { CheckRun } from '../kind.ts'
import { awsAccess } from './aws.ts'
import { type Listing, maxObjects } from './files.ts'
import { listObjects } from '../../../platform/cloud/s3.ts'
import { globPattern } from './support.ts'

export async function listS3(run: CheckRun, spec: FolderCheck): Promise<Listing> {
  const given = spec.awsConnection ?? {}
  const access = await awsAccess(run, given)
  const [, named = '', folder = ''] = /^s3:\/\/([^/]*)\/?(.*)$/.exec(spec.path) ?? []
  const style = given.usePathStyle ?? (access.properties.usePathStyle ?? access.properties.use_path_style) === 'true'
  const bucket = { access, name: named || given.bucket || access.properties.bucket || '', pathStyle: style }
  const pattern = given.objectPath ? globPattern(given.objectPath) : undefined
  const prefix = folder && !folder.endsWith('/') ? `${folder}/` : folder
  const delimiter = spec.recursive || pattern ? undefined : '/'
  const objects = await listObjects(run, bucket, { prefix, delimiter, most: await mostObjects(run) })
  const files = objects
    // A key that ends with a slash is how consoles draw a folder.
    .filter(({ key }) => !key.endsWith('/') && (!pattern || pattern.test(key)))
    .map(({ key, size, modified }) => ({ name: key.slice(prefix.length), size, mode: '', modified, is_dir: false }))
  return { files }
}

export async function mostObjects({ ctx }: CheckRun): Promise<number> {
  const given = ctx.db ? Number((await readProperties(ctx)).get('s3.list.max-objects')) : Number.NaN
  return Number.isInteger(given) && given > 0 ? given : maxObjects
}
