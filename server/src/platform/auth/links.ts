import { createHash, randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Sql } from '../db/db.ts'
import { newId } from '../ids.ts'
import type { FlowRecord, FlowState } from './flows/flow.ts'
import { insertFlow } from './identity.sql.ts'

export const linkDigest = (token: string): string => createHash('sha256').update(token).digest('hex')

/** `invite` opens until a password is set, because mail scanners open links too; `recovery` opens once. */
type LinkPurpose = 'invite' | 'recovery'

const linkLifetimeMs: Record<LinkPurpose, number> = { invite: 3 * 24 * 3_600_000, recovery: 3_600_000 }

interface NewLink {
  identityId: string
  purpose: LinkPurpose
  /** `https://host/api/.ory` */
  base: string
}

/** A link that signs one account in so that it can set a password. Only the token's digest is stored. */
export async function makeLink(ctx: Context, sql: Sql, { identityId, purpose, base }: NewLink) {
  const now = ctx.clock.now()
  const token = randomBytes(32).toString('base64url')
  const flow: FlowRecord = {
    id: newId(now.getTime()),
    type: 'recovery',
    issued_at: now,
    expires_at: new Date(now.getTime() + linkLifetimeMs[purpose]),
    state: {
      step: 'sent_email',
      request_url: `${base}/self-service/recovery`,
      messages: [],
      fields: {},
      identity_id: identityId,
      secret: { digest: linkDigest(token), purpose },
    } satisfies FlowState,
  }
  await insertFlow(sql, flow)
  return { link: `${base}/self-service/recovery?flow=${flow.id}&token=${token}`, expires_at: flow.expires_at }
}
