import { createTransport, type Transporter } from 'nodemailer'
import type { Context } from '../../context.ts'
import { AppError } from '../errors.ts'
import { newId } from '../ids.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html?: string
}

const transports = new Map<string, Transporter>()

export const canSendMail = (ctx: Pick<Context, 'config'>): boolean => ctx.config.SMTP_URL !== undefined

/** Sends one mail through the server of SMTP_URL, now. Says that it failed, not with which credentials. */
export async function sendMail(ctx: Pick<Context, 'config' | 'log'>, mail: Mail): Promise<void> {
  const url = ctx.config.SMTP_URL
  if (!url) throw new AppError(501, 'not_implemented', 'This server has no mail server. Set SMTP_URL to send mail.')
  try {
    await transportOf(url).sendMail({ from: ctx.config.MAIL_FROM ?? defaultSender(url), ...mail })
  } catch (error) {
    ctx.log.warn({ err: error, subject: mail.subject }, 'a mail could not be sent')
    const words = (error as Error).message.replaceAll(url, 'the mail server')
    throw new AppError(
      502,
      'mail_failed',
      'The mail could not be sent',
      words.slice(0, 300),
      'Check SMTP_URL and MAIL_FROM.',
    )
  }
}

/**
 * Sends a mail in the background. What the mail server does not take is kept, encrypted, and an event of the queue tries
 * again until it does or somebody gives up on it there. Never throws.
 */
export async function deliverMail(ctx: Context, mail: Mail): Promise<void> {
  try {
    await sendMail(ctx, mail)
  } catch {
    await keepMail(ctx, mail).catch((error: unknown) => ctx.log.error({ err: error }, 'a mail was lost'))
  }
}

export const mailEvent = 'mail.send'

async function keepMail(ctx: Context, { to, subject, text, html }: Mail): Promise<void> {
  const id = newId(ctx.clock.now().getTime())
  const content = ctx.secrets.encrypt(JSON.stringify({ text, html }))
  await ctx.db.tx(async (sql) => {
    await sql.run('insert into outgoing_mails (id, recipient, subject, content) values ($1, $2, $3, $4)', [
      id,
      to,
      subject,
      content,
    ])
    await sql.run('insert into event_queue (name, properties) values ($1, $2)', [
      mailEvent,
      JSON.stringify({ id, to, subject }),
    ])
  })
}

/** Tries a kept mail again; throws when it failed. One that is gone was sent before. */
export async function sendKept(ctx: Context, id: string): Promise<void> {
  const row = await ctx.db.maybeOne<{ recipient: string; subject: string; content: string }>(
    'select recipient, subject, content from outgoing_mails where id = $1',
    [id],
  )
  if (!row) return
  const { text, html } = JSON.parse(ctx.secrets.decrypt(row.content)) as Pick<Mail, 'text' | 'html'>
  await sendMail(ctx, { to: row.recipient, subject: row.subject, text, html })
  // Mails whose event was given up on go along with it.
  await ctx.db.run(`delete from outgoing_mails where id = $1 or created_at < now() - interval '30 days'`, [id])
}

function transportOf(url: string): Transporter {
  const found = transports.get(url)
  if (found) return found
  const made = createTransport(url, undefined)
  Object.assign(made.options, { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 })
  transports.set(url, made)
  return made
}

function defaultSender(url: string): string {
  const { username, hostname } = new URL(url)
  const user = decodeURIComponent(username)
  return user.includes('@') ? user : `quarterdeck@${hostname}`
}

/** Text for HTML: the names in a mail are what other people typed. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
