import { PostgresCheck } from '@quarterdeck/contract/checks/postgres'
import { queryPostgres } from '../../../platform/clients/postgres.ts'
import { sqlKind } from './sql.ts'

export const postgres = sqlKind('postgres', PostgresCheck, queryPostgres)
