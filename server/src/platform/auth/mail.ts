import { createTransport, type Transporter } from 'nodemailer'
import type { Context } from '../../context.ts'
import { AppError } from '../errors.ts'

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
