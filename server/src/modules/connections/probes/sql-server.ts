import { queryMssql } from '../../../platform/clients/mssql.ts'
import { need, type Probe } from './probe.ts'

export const sqlServer: Probe = (run, target) =>
  queryMssql(run, { ...target, url: need(target.url, 'the url') }, 'select 1', () => undefined)
