import type { ResourceKind } from '../resource-kind.ts'
import { incidentRule } from './incident-rule.ts'
import { logBackend } from './log-backend.ts'
import { notification } from './notification.ts'
import { property } from './property.ts'
import { scraper } from './scraper.ts'
import { topology } from './topology.ts'

/** The tables whose pages follow from their declaration alone. */
export const kinds: readonly ResourceKind[] = [topology, logBackend, notification, property, incidentRule, scraper]

export const kindOf = (table: string): ResourceKind | undefined => kinds.find((kind) => kind.table === table)
