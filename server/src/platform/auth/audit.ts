import type { FastifyRequest } from 'fastify'
import type { Sql } from '../db/db.ts'

export interface AuditEntry {
  /** One of the contract's auditActions, or a word of the area that writes it. */
  action: string
  outcome?: 'success' | 'failure'
  /** Who did it; absent when nobody was signed in. */
  actor?: { id: string | null; name: string } | null
  /** What it was done to. */
  target?: { type: string; id?: string | null; name?: string | null }
  /** Facts worth keeping. Never a password, token or other secret. */
  details?: Record<string, unknown>
  request?: Pick<FastifyRequest, 'ip' | 'headers'>
}

/** Writes one line of the audit log; pass the transaction of the act itself, so that neither is there without the other. */
export async function audit(sql: Sql, entry: AuditEntry): Promise<void> {
  const { action, outcome = 'success', actor, target, details, request } = entry
  await sql.run(
    `insert into audit_log (actor_id, actor_name, action, outcome, object_type, object_id, object_name, details, ip, user_agent)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      actor?.id ?? null,
      actor?.name ?? null,
      action,
      outcome,
      target?.type ?? null,
      target?.id ?? null,
      target?.name?.slice(0, 300) ?? null,
      details ? JSON.stringify(details) : null,
      request?.ip ?? null,
      request?.headers['user-agent']?.slice(0, 500) ?? null,
    ],
  )
}
