import { MssqlCheck } from '@quarterdeck/contract/checks/mssql'
import { queryMssql } from '../../../platform/clients/mssql.ts'
import { sqlKind } from './sql.ts'

export { mssqlAddress } from '../../../platform/clients/mssql.ts'

export const mssql = sqlKind('mssql', MssqlCheck, queryMssql)
