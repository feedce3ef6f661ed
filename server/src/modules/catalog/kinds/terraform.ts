import { readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { TerraformScraper } from '@quarterdeck/contract/scrapers/terraform'
import { awsText } from '../../../platform/cloud/aws.ts'
import { type Bucket, listObjects, s3Request } from '../../../platform/cloud/s3.ts'
import { refusedPaths } from './file.ts'
import { findFiles } from './file-find.ts'
import { fitsGlob, hasGlob } from './glob.ts'
import { InvalidScraper, type ScraperKind, type ScrapeResult, type ScrapeRun } from './kind.ts'
import { fillIn, targetOf, textOf } from './support.ts'
import { itemOfState } from './terraform/state.ts'

const maxState = 64 * 1024 * 1024
const mostObjects = 10_000

// The rules of all kinds take `name` for a text or a path; here it is a template.
type Spec = TerraformScraper & { nameTemplate?: string }
const schema = TerraformScraper.transform((spec): Spec => ({ ...spec, name: undefined, nameTemplate: spec.name }))

/** State files, each a module; what they made is related to it by its ids. */
export const terraform: ScraperKind<Spec> = {
  key: 'terraform',
  schema,
  concurrency: 10,
  async *scrape(run, spec) {
    if (spec.state.local) yield* localStates(run, spec, spec.state.local)
    if (spec.state.s3) yield* s3States(run, spec, spec.state.s3)
  },
}

async function resultOf(spec: Spec, text: string, path: string): Promise<ScrapeResult> {
  const item = itemOfState(text, path)
  const name = spec.nameTemplate ? await fillIn(spec.nameTemplate, { path }) : path
  return { item: { ...item, name } }
}

async function* localStates(run: ScrapeRun, spec: Spec, pattern: string): AsyncIterable<ScrapeResult> {
  if (!isAbsolute(pattern)) throw new InvalidScraper(`"${pattern}" is not an absolute path`)
  const isRefused = await refusedPaths(run)
  for await (const found of findFiles(run.signal, '', [pattern])) {
    if ('problem' in found) {
      yield { error: { message: found.problem, item: found.name } }
      continue
    }
    try {
      const real = await realpath(found.path)
      if (isRefused(real)) throw new Error('files of the server itself and of the system are not read')
      const { size } = await stat(real)
      if (size > maxState) throw new Error(`the file has ${size} bytes, more than ${maxState}`)
      yield await resultOf(spec, await readFile(real, 'utf8'), found.path)
    } catch (error) {
      yield { error: { message: (error as Error).message, item: found.name } }
    }
  }
}

type S3 = NonNullable<Spec['state']['s3']>

async function* s3States(run: ScrapeRun, spec: Spec, given: S3): AsyncIterable<ScrapeResult> {
  const bucket = await bucketOf(run, given)
  const pattern = given.objectPath.replace(/^\//, '')
  const prefix = hasGlob(pattern) ? pattern.slice(0, pattern.search(/[*?{[]/)) : pattern
  const objects = await listObjects(run, bucket, { prefix, most: mostObjects })
  for (const { key, size } of objects) {
    if (key.endsWith('/') || !fitsGlob(pattern, key)) continue
    const path = `s3://${bucket.name}/${key}`
    try {
      if (size > maxState) throw new Error(`the file has ${size} bytes, more than ${maxState}`)
      yield await resultOf(spec, awsText(await s3Request(run, bucket, 'GET', key), `reading ${path}`), path)
    } catch (error) {
      run.signal.throwIfAborted()
      yield { error: { message: (error as Error).message, item: path } }
    }
  }
}

async function bucketOf(run: ScrapeRun, given: S3): Promise<Bucket> {
  const target = given.connection ? await targetOf(run, { connection: given.connection }) : undefined
  const accessKey = (await textOf(run, given.accessKey, { secret: false })) ?? (target?.username || undefined)
  const secretKey = (await textOf(run, given.secretKey)) ?? (target?.password || undefined)
  if (!accessKey || !secretKey)
    throw new InvalidScraper('accessKey and secretKey are needed, here or in the connection')
  const isInsecure = given.skipTLSVerify ?? target?.insecureTls
  const access = {
    accessKey,
    secretKey,
    sessionToken: await textOf(run, given.sessionToken),
    region: given.region || target?.properties.region || 'us-east-1',
    endpoint: given.endpoint || target?.url || undefined,
    tls: isInsecure ? { rejectUnauthorized: false } : undefined,
    properties: target?.properties ?? {},
  }
  return { access, name: given.bucket, pathStyle: given.usePathStyle ?? access.properties.usePathStyle === 'true' }
}
