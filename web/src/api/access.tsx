import type { Capabilities } from '@quarterdeck/contract/capabilities'
import { hasFeature } from '@quarterdeck/contract/deployment'
import { type Feature, isDisabled } from '@quarterdeck/contract/features'
import { type Action, can, mayRunChecks, type Resource, type Role } from '@quarterdeck/contract/permissions'
import { createContext, type ReactNode, use, useMemo } from 'react'
import type { FlagProperty, Me, User } from './session.ts'

/** Everything that decides what a person sees: who they are, what they may do, what is switched on. */
export interface Access {
  user: User
  roles: readonly Role[]
  capabilities: Capabilities
  can(action: Action, resource: Resource): boolean
  canRunChecks: boolean
  /** Whether a feature is there: neither switched off nor left out of this deployment. */
  has(feature: Feature): boolean
}

/** Works out what a person sees, from what the server said. */
export function accessOf(me: Me, properties: readonly FlagProperty[], capabilities: Capabilities): Access {
  return {
    user: me.user,
    roles: me.roles,
    capabilities,
    can: (action, resource) => can(me.roles, action, resource),
    canRunChecks: mayRunChecks(me.roles),
    has: (feature) => hasFeature(capabilities.deployment, feature) && !isDisabled(properties, feature),
  }
}

const AccessContext = createContext<Access | null>(null)

export function AccessProvider({
  me,
  properties,
  capabilities,
  children,
}: {
  me: Me
  properties: readonly FlagProperty[]
  capabilities: Capabilities
  children: ReactNode
}) {
  const access = useMemo(() => accessOf(me, properties, capabilities), [me, properties, capabilities])
  return <AccessContext value={access}>{children}</AccessContext>
}

/** Who is here and what they may see and do. */
export function useAccess(): Access {
  const access = use(AccessContext)
  if (!access) throw new Error('useAccess needs a signed-in page around it')
  return access
}

/** The same, or null on pages that also show without a session. */
export const useMaybeAccess = () => use(AccessContext)

/** Whether the signed-in person may do this: `useCan('write', 'agents')`. */
export const useCan = (action: Action, resource: Resource) => useAccess().can(action, resource)

/** Whether a feature is switched on: `useFeature('logs')`. */
export const useFeature = (feature: Feature) => useAccess().has(feature)
