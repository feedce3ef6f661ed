import { z } from 'zod'
import { resources, roles } from './permissions.ts'

/** E-mail addresses are compared in one form: trimmed, composed, lower case. */
export const normalizeEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase()

const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'must be plain text')
// Wider than ASCII on purpose: unicode mailboxes are real, and the proof of an address is the mail that arrives.
export const Email = z
  .string()
  .transform(normalizeEmail)
  .pipe(
    z
      .string()
      .max(254)
      .regex(
        /^[^\s@"<>(),;:\\[\]\p{Cc}\p{Cs}]+@[^\s@"<>(),;:\\[\]\p{Cc}\p{Cs}]+\.[^\s@"<>(),;:\\[\].\p{Cc}\p{Cs}]+$/u,
        'is not an e-mail address',
      ),
  )

export const passwordLimits = { min: 8, max: 1024 } as const

export const InviteUser = z.object({
  firstName: name,
  lastName: name,
  email: Email,
  /** Optional: the reference console invites first and sets the role by a second call. */
  roles: z.array(z.enum(roles)).min(1).optional(),
})
export type InviteUser = z.infer<typeof InviteUser>

/** `link` is given only when no mail could be sent for want of a mail server; it is not shown again. */
export const Invited = z.object({ id: z.uuid(), mailed: z.boolean(), link: z.string().optional() })
export type Invited = z.infer<typeof Invited>

export const UpdateRole = z.object({ roles: z.array(z.enum(roles)).min(1).max(roles.length) })
export type UpdateRole = z.infer<typeof UpdateRole>

/** A token of one's own, for scripts. */
export const NewToken = z.object({
  name,
  /** Days until it ends; at most a year. */
  days: z.number().int().min(1).max(366).default(90),
  /** What it may do: roles that allow no more than one's own. Without them it may do what the person may. */
  roles: z.array(z.enum(roles)).min(1).optional(),
})
export const OwnToken = z.object({
  id: z.uuid(),
  name: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  roles: z.array(z.string()).nullable(),
})
export type OwnToken = z.infer<typeof OwnToken>
export const CreatedToken = z.object({ id: z.uuid(), token: z.string() })

export const identityStates = ['active', 'inactive'] as const
export const UpdateState = z.object({ id: z.uuid().optional(), state: z.enum(identityStates) })

export const Traits = z.object({
  email: z.string(),
  name: z.object({ first: z.string().optional(), last: z.string().optional() }).optional(),
})
export type Traits = z.infer<typeof Traits>

/** `First Last`, or the address when there is no name. */
export const displayName = ({ email, name: parts }: Traits): string =>
  [parts?.first, parts?.last].filter(Boolean).join(' ').trim() || email

export const Policy = z.object({ subject: z.string(), object: z.string(), action: z.string(), deny: z.boolean() })

export const WhoAmI = z.object({
  message: z.literal('success'),
  payload: z.object({
    user: z.object({
      id: z.string(),
      name: z.string(),
      email: z.string().optional(),
      avatar: z.string().optional(),
      type: z.string().optional(),
      external_id: z.string().optional(),
      properties: z.record(z.string(), z.unknown()),
    }),
    roles: z.array(z.string()),
    permissions: z.array(Policy),
    hostname: z.string(),
  }),
})
export type WhoAmI = z.infer<typeof WhoAmI>

/** What a person may do and which of the roles allows it. */
export const AccessExplanation = z.object({
  person: z.object({ id: z.string(), name: z.string(), email: z.string().nullable(), state: z.string().nullable() }),
  roles: z.array(z.object({ role: z.string(), why: z.string() })),
  grants: z.array(
    z.object({
      resource: z.enum(resources),
      action: z.enum(['read', 'write']),
      allowed: z.boolean(),
      /** Roles that allow it; empty when it is not allowed. */
      because: z.array(z.string()),
    }),
  ),
  may_run_checks: z.boolean(),
  /** Ways the person can reach the server right now. */
  sign_in: z.object({ password: z.boolean(), sessions: z.number(), tokens: z.number() }),
  notes: z.array(z.string()),
})
export type AccessExplanation = z.infer<typeof AccessExplanation>

/** What happened, in the past tense: the words of the audit log's filter. */
export const auditActions = [
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'session_ended',
  'password_changed',
  'profile_changed',
  'recovery_requested',
  'recovered',
  'registered',
  'address_verified',
  'second_factor_added',
  'second_factor_removed',
  'recovery_codes_made',
  'recovery_codes_removed',
  'social_sign_in_linked',
  'social_sign_in_unlinked',
  'person_added',
  'person_invited',
  'person_deleted',
  'person_activated',
  'person_deactivated',
  'roles_changed',
  'token_created',
  'token_revoked',
] as const

/** One line of the audit log. */
export const AuditRow = z.object({
  id: z.string(),
  at: z.string(),
  action: z.string(),
  outcome: z.enum(['success', 'failure']),
  actor_id: z.string().nullable(),
  actor_name: z.string().nullable(),
  object_type: z.string().nullable(),
  object_id: z.string().nullable(),
  object_name: z.string().nullable(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  details: z.record(z.string(), z.unknown()).nullable(),
})
export type AuditRow = z.infer<typeof AuditRow>
export const AuditPage = z.object({ rows: z.array(AuditRow), total: z.number() })

// The flow shapes below are those of Ory Kratos, so that its client libraries work on this server.

export const UiText = z.object({
  id: z.number(),
  text: z.string(),
  type: z.enum(['info', 'error', 'success']),
  context: z.record(z.string(), z.unknown()).optional(),
})
export type UiText = z.infer<typeof UiText>

export const nodeGroups = [
  'default',
  'password',
  'oidc',
  'profile',
  'link',
  'code',
  'totp',
  'lookup_secret',
  'webauthn',
] as const

export const UiNode = z.object({
  type: z.enum(['input', 'img', 'text', 'a', 'script']),
  group: z.enum(nodeGroups),
  attributes: z.looseObject({ node_type: z.string() }),
  messages: z.array(UiText),
  meta: z.object({ label: UiText.optional() }),
})
export type UiNode = z.infer<typeof UiNode>

export const Flow = z.looseObject({
  id: z.string(),
  type: z.literal('browser'),
  issued_at: z.string(),
  expires_at: z.string(),
  request_url: z.string(),
  return_to: z.string().optional(),
  state: z.string(),
  ui: z.object({
    action: z.string(),
    method: z.string(),
    messages: z.array(UiText).optional(),
    nodes: z.array(UiNode),
  }),
})
export type Flow = z.infer<typeof Flow>

export const Session = z.looseObject({
  id: z.string(),
  active: z.boolean(),
  expires_at: z.string(),
  issued_at: z.string(),
  authenticated_at: z.string(),
  authenticator_assurance_level: z.enum(['aal0', 'aal1', 'aal2']),
  identity: z.looseObject({ id: z.string(), traits: Traits }),
})
export type Session = z.infer<typeof Session>

export const FlowErrorBody = z.object({
  error: z.looseObject({
    id: z.string().optional(),
    code: z.number(),
    status: z.string(),
    reason: z.string().optional(),
    message: z.string(),
  }),
  redirect_browser_to: z.string().optional(),
  use_flow_id: z.string().optional(),
})
export type FlowErrorBody = z.infer<typeof FlowErrorBody>
