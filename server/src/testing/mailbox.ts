import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface Mailbox {
  url: string
  /** The newest mail to this address; waits for it. */
  to(address: string, subject?: RegExp): Promise<{ subject: string; text: string }>
  /** Mails to an address, or all. */
  count(address?: string): Promise<number>
  close(): Promise<void>
}

/** A real mail server on loopback that keeps what it gets. */
export async function startMailbox(port = 0): Promise<Mailbox> {
  const raw: Buffer[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        raw.push(Buffer.concat(chunks))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const all = () =>
    Promise.all(
      raw.map(async (one) => {
        const { to, subject = '', text = '' } = await PostalMime.parse(one)
        return { to: to?.[0]?.address, subject, text }
      }),
    )
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    async to(address, subject = /./) {
      for (let i = 0; i < 250; i++) {
        const found = (await all()).findLast((mail) => mail.to === address && subject.test(mail.subject))
        if (found) return found
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      throw new Error(`no mail to ${address}`)
    },
    count: async (address) => (await all()).filter(({ to }) => address === undefined || to === address).length,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
