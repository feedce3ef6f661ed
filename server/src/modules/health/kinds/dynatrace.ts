import { DynatraceCheck } from '@quarterdeck/contract/checks/dynatrace'
import { record, records } from '../../../platform/kubernetes/object.ts'
import type { CheckKind } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { connectionOf, resolveText } from './credentials.ts'
import { callJson, httpUrl } from '../../../platform/clients/http.ts'

/** Lists the problems; the verdict is the test's or the transform's. */
export const dynatrace: CheckKind<DynatraceCheck> = {
  key: 'dynatrace',
  schema: DynatraceCheck,
  templatable: true,
  endpoint: (spec) => spec.host ?? spec.connection ?? '',
  async run(run, spec) {
    const base = spec.connection ? await connectionOf(run, spec.connection) : undefined
    const key = (await resolveText(run, spec.apiKey)) ?? base?.password
    const host = spec.host ?? base?.url
    if (!host || !key) throw new InvalidCheck('host and apiKey are needed, here or in the connection')
    const root = /^https?:\/\//.test(host) ? host : `${spec.scheme}://${host}`
    const problems: Record<string, unknown>[] = []
    let page: string | undefined
    do {
      const url = httpUrl(`${root.replace(/\/$/, '')}/api/v2/problems`)
      // A further page is named by its key alone.
      if (page) url.searchParams.set('nextPageKey', page)
      else url.searchParams.set('pageSize', '500')
      const tls = base?.insecureTls ? { rejectUnauthorized: false } : undefined
      const answer = record(await callJson(run, { url, headers: { authorization: `Api-Token ${key}` }, tls }))
      problems.push(...records(answer.problems))
      page = typeof answer.nextPageKey === 'string' ? answer.nextPageKey : undefined
    } while (page && problems.length < 5000)
    return { pass: true, detail: problems, message: `${problems.length} problems` }
  },
}
