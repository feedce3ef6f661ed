import type { FolderCheck } from '@quarterdeck/contract/checks/folder'
import { record, records, word } from '../../../platform/kubernetes/object.ts'
import type { CheckRun } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { connectionOf, resolveText } from './credentials.ts'
import { type FileInfo, type Listing } from './files.ts'
import { mostObjects } from './folder-s3.ts'
import { googleHeaders } from '../../../platform/cloud/google.ts'
import { callJson, httpUrl } from '../../../platform/clients/http.ts'

const readOnly = 'https://www.googleapis.com/auth/devstorage.read_only'

export async function listGcs(run: CheckRun, spec: FolderCheck): Promise<Listing> {
  const given = spec.gcpConnection ?? {}
  const base = given.connection ? await connectionOf(run, given.connection) : undefined
  const credentials = (await resolveText(run, given.credentials)) ?? base?.certificate
  const endpoint = given.endpoint || base?.properties.endpoint || base?.url || 'https://storage.googleapis.com'
  const [, named = '', folder = ''] = /^gcs:\/\/([^/]*)\/?(.*)$/.exec(spec.path) ?? []
  const bucket = named || given.bucket || base?.properties.bucket
  if (!bucket) throw new InvalidCheck('there is no bucket')
  const headers = await googleHeaders(run, credentials, readOnly)
  const prefix = folder && !folder.endsWith('/') ? `${folder}/` : folder
  const most = await mostObjects(run)
  const files: FileInfo[] = []
  let page: string | undefined
  do {
    const url = httpUrl(endpoint, 'endpoint')
    url.pathname = `${url.pathname.replace(/\/$/, '')}/storage/v1/b/${encodeURIComponent(bucket)}/o`
    if (prefix) url.searchParams.set('prefix', prefix)
    if (!spec.recursive) url.searchParams.set('delimiter', '/')
    if (page) url.searchParams.set('pageToken', page)
    const answer = record(await callJson(run, { url, headers }))
    for (const item of records(answer.items)) {
      const name = word(item.name)
      if (name.endsWith('/')) continue
      const modified = new Date(word(item.updated))
      files.push({ name: name.slice(prefix.length), size: Number(item.size), mode: '', modified, is_dir: false })
    }
    page = word(answer.nextPageToken) || undefined
  } while (page && files.length < most)
  return { files: files.slice(0, most) }
}
