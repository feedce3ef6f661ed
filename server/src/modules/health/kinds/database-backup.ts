import { DatabaseBackupCheck } from '@quarterdeck/contract/checks/database-backup'
import { record, records, word } from '../../../platform/kubernetes/object.ts'
import type { CheckKind } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { connectionOf, resolveText } from './credentials.ts'
import { googleHeaders } from '../../../platform/cloud/google.ts'
import { callJson, httpUrl } from '../../../platform/clients/http.ts'
import { durationOf } from './support.ts'

const scope = 'https://www.googleapis.com/auth/cloud-platform'

/** The newest successful backup of a Cloud SQL instance must be young enough. */
export const databaseBackup: CheckKind<DatabaseBackupCheck> = {
  key: 'databaseBackup',
  type: 'databasebackupcheck',
  schema: DatabaseBackupCheck,
  templatable: true,
  endpoint: (spec) => (spec.gcp ? `${spec.gcp.project}/${spec.gcp.instance}` : spec.name),
  async run(run, spec) {
    const { gcp } = spec
    if (!gcp) throw new InvalidCheck('gcp is empty; other providers are not known')
    const maxAge = durationOf(spec.maxAge, 'maxAge')
    const given = gcp.gcpConnection
    const base = given?.connection ? await connectionOf(run, given.connection) : undefined
    const credentials = (await resolveText(run, given?.credentials)) ?? base?.certificate
    const endpoint = (given?.endpoint || base?.url || 'https://sqladmin.googleapis.com').replace(/\/$/, '')
    const path = `/v1/projects/${encodeURIComponent(gcp.project)}/instances/${encodeURIComponent(gcp.instance)}/backupRuns?maxResults=50`
    const headers = await googleHeaders(run, credentials, scope)
    const answer = record(await callJson(run, { url: httpUrl(endpoint + path), headers }))
    const good = records(answer.items).filter((each) => each.status === 'SUCCESSFUL')
    const newest = good.toSorted((a, b) => Date.parse(word(b.endTime)) - Date.parse(word(a.endTime)))[0]
    if (!newest) return { pass: false, errors: ['there is no successful backup'], detail: answer }
    const end = Date.parse(word(newest.endTime))
    const errors =
      maxAge !== undefined && Date.now() - end > maxAge
        ? [`the newest successful backup ended at ${word(newest.endTime)}, longer ago than ${spec.maxAge}`]
        : []
    return { pass: errors.length === 0, errors, detail: newest, message: `newest backup ${word(newest.endTime)}` }
  },
}
