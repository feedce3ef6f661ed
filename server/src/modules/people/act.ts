import type { FastifyRequest } from 'fastify'
import type { Principal } from '../../platform/auth/principal.ts'

/** Who does an administrative act: a signed-in person, or the command line (`by` is null). */
export interface Act {
  by: Pick<Principal, 'id' | 'name' | 'sessionId'> | null
  request?: FastifyRequest
}

/** Somebody at the machine itself. */
export const commandLine: Act = { by: null }

/** How an act shows in the audit log. */
export const actor = ({ by, request }: Act) => ({ actor: by ?? { id: null, name: 'command line' }, request })
