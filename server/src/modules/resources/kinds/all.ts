import type { DocumentKind } from '@quarterdeck/contract/documents'
import { canary } from './canary.ts'
import { connection } from './connection.ts'
import { incidentRule } from './incident-rule.ts'
import type { KindStore } from './kind-store.ts'
import { notification } from './notification.ts'
import { playbook } from './playbook.ts'
import { scrapeConfig } from './scrape-config.ts'
import { team } from './team.ts'
import { topology } from './topology.ts'

/** In the order they are applied: what others refer to comes first. */
export const kindStores: readonly KindStore[] = [
  connection,
  team,
  canary,
  scrapeConfig,
  topology,
  playbook,
  incidentRule,
  notification,
]

const byKind = new Map(kindStores.map((store) => [store.kind, store]))
export const storeOf = (kind: DocumentKind): KindStore => byKind.get(kind)!
