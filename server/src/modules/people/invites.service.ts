import type { InviteUser, Invited } from '@quarterdeck/contract/identity'
import type { Context } from '../../context.ts'
import { audit } from '../../platform/auth/audit.ts'
import { hasPassword } from '../../platform/auth/identity.sql.ts'
import { makeLink } from '../../platform/auth/links.ts'
import { canSendMail, escapeHtml, sendMail } from '../../platform/auth/mail.ts'
import { badRequest, notImplemented } from '../../platform/errors.ts'
import { type Act, actor } from './act.ts'
import { findPerson, insertPerson } from './people.service.ts'

/** Makes an account and mails the link that opens it; without a mail server the link goes to the inviter, once. */
export async function invitePerson(ctx: Context, act: Act, invite: InviteUser, base: string): Promise<Invited> {
  refuseElsewhere(ctx)
  // One transaction around the mail too: when it cannot be sent there is no account that nobody knows of.
  return ctx.db.tx(async (sql) => {
    const id = await insertPerson(ctx, sql, act, invite)
    const { link } = await makeLink(ctx, sql, { identityId: id, purpose: 'invite', base })
    if (!canSendMail(ctx)) return { id, mailed: false, link }
    await sendMail(ctx, inviteMail(invite.email, act.by?.name ?? 'An administrator', link))
    return { id, mailed: true }
  })
}

/** A new link for somebody who lost theirs, or their password. */
export async function renewLink(ctx: Context, act: Act, idOrEmail: string, base: string): Promise<Invited> {
  refuseElsewhere(ctx)
  const person = await findPerson(ctx.db, idOrEmail)
  if (person.state !== 'active') throw badRequest(`${person.name} cannot sign in: the account is not active`)
  return ctx.db.tx(async (sql) => {
    const purpose = (await hasPassword(sql, person.id)) ? 'recovery' : 'invite'
    const { link } = await makeLink(ctx, sql, { identityId: person.id, purpose, base })
    await audit(sql, {
      action: 'recovery_requested',
      ...actor(act),
      target: { type: 'identity', id: person.id, name: person.email },
    })
    if (!canSendMail(ctx) || !person.email) return { id: person.id, mailed: false, link }
    await sendMail(ctx, inviteMail(person.email, act.by?.name ?? 'An administrator', link))
    return { id: person.id, mailed: true }
  })
}

function refuseElsewhere(ctx: Context): void {
  const mode = ctx.config.QUARTERDECK_AUTH
  if (mode === 'builtin' || mode === 'none') return
  throw notImplemented(`Accounts are kept elsewhere (QUARTERDECK_AUTH=${mode}); invite people there`)
}

function inviteMail(to: string, inviter: string, link: string) {
  const from = inviter.replace(/[\r\n]+/g, ' ')
  return {
    to,
    subject: 'User Invite',
    text: `${from} invites you to Quarterdeck.\n\nOpen this link to set your password and sign in:\n\n${link}\n\nThe link is meant for you alone.\n`,
    html: `<p>${escapeHtml(from)} invites you to Quarterdeck.</p><p><a href="${escapeHtml(link)}">Set your password and sign in</a></p><p>The link is meant for you alone.</p>`,
  }
}
