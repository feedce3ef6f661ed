import { mailEvent, sendKept } from '../../platform/auth/mail.ts'
import { defineConsumer } from '../events/event.ts'

/** Sends the mails that the mail server did not take at first. */
export const mailConsumer = defineConsumer({
  mode: 'async',
  names: [mailEvent],
  concurrency: 2,
  handle: (ctx, event) => sendKept(ctx, event.properties.id ?? ''),
})
