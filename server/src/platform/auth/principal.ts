import type { Role } from '@quarterdeck/contract/permissions'

/** Who makes a request: a person with a session, an access token's person, or a remote agent. */
export interface Principal {
  kind: 'person' | 'agent'
  /** people.id */
  id: string
  name: string
  email: string | null
  roles: readonly Role[]
  /** Set for cookie sessions. */
  sessionId?: string
  /** Came with an access token, which may not make others. */
  viaToken?: boolean
  /** agents.id, set for agents. */
  agentId?: string
}
