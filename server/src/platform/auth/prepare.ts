import type { Context } from '../../context.ts'
import { StartupError } from '../errors.ts'
import { clerkHost } from './modes/clerk.ts'
import { kratosUrl } from './modes/kratos.ts'
import { passwordFile } from './modes/plain.ts'

/** Stops the start, in one clear line, when the chosen way to sign in cannot work. Call once, before listening. */
export async function prepareAuth(ctx: Pick<Context, 'config' | 'log'>): Promise<void> {
  switch (ctx.config.QUARTERDECK_AUTH) {
    case 'plain':
      await passwordFile(ctx)
      break
    case 'kratos':
      kratosUrl(ctx)
      break
    case 'clerk':
      clerkHost(ctx.config)
      if (!ctx.config.CLERK_ORG_ID)
        throw new StartupError('QUARTERDECK_AUTH=clerk needs CLERK_ORG_ID: the organisation whose people may come in.')
      break
    case 'none':
      ctx.log.warn('sessions are switched off: everybody who reaches this server acts as its first administrator')
      break
    case 'builtin':
      if (ctx.config.QUARTERDECK_REGISTRATION && !ctx.config.SMTP_URL)
        throw new StartupError('QUARTERDECK_REGISTRATION=on needs SMTP_URL: new people prove their address by mail.')
      break
  }
}
