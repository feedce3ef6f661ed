import { queryMysql } from '../../../platform/clients/mysql.ts'
import { need, type Probe } from './probe.ts'

export const mysql: Probe = (run, target) =>
  queryMysql(run, { ...target, url: need(target.url, 'the url') }, 'select 1', () => undefined)
