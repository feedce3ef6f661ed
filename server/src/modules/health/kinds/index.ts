import type { CheckKind } from '../kind.ts'
import { alertmanager } from './alertmanager.ts'
import { dns } from './dns.ts'
import { elasticsearch, opensearch } from './elasticsearch.ts'
import { exec } from './exec.ts'
import { folder } from './folder.ts'
import { gitProtocol } from './git-protocol.ts'
import { http } from './http.ts'
import { icmp } from './icmp.ts'
import { jmeter } from './jmeter.ts'
import { ldap } from './ldap.ts'
import { mongodb } from './mongodb.ts'
import { mssql } from './mssql.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import { prometheus } from './prometheus.ts'
import { redis } from './redis.ts'
import { restic } from './restic.ts'
import { s3 } from './s3.ts'
import { tcp } from './tcp.ts'

/** Every kind that runs. A new kind is a file here, its schema in the contract, and a line below. */
export const checkKinds = [
  alertmanager,
  dns,
  elasticsearch,
  exec,
  folder,
  gitProtocol,
  http,
  icmp,
  jmeter,
  ldap,
  mongodb,
  mssql,
  mysql,
  opensearch,
  postgres,
  prometheus,
  redis,
  restic,
  s3,
  tcp,
] as unknown as CheckKind[]
