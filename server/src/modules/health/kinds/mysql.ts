import { MysqlCheck } from '@quarterdeck/contract/checks/mysql'
import { queryMysql } from '../../../platform/clients/mysql.ts'
import { sqlKind } from './sql.ts'

export { mysqlUrl } from '../../../platform/clients/mysql.ts'

export const mysql = sqlKind('mysql', MysqlCheck, queryMysql)
