import { lookup as systemLookup } from 'node:dns'
import { isIP } from 'node:net'
import { NetworkError } from './network-error.ts'

export interface Address {
  address: string
  family: 4 | 6
}

/** What asks the system for addresses; tests put their own here. */
export type SystemLookup = (host: string) => Promise<{ address: string; family: number }[]>

const askSystem: SystemLookup = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true, order: 'verbatim' }, (error, addresses) => {
      if (error) reject(error)
      else resolve(addresses)
    })
  })

const keepMs = 5_000
const keepFailureMs = 1_000
// The system's resolver blocks one of four threads that files and keys need too; it must never take the last.
const atOnce = 3
const mostKept = 5_000

type Answer = { addresses: Address[] } | { error: Error }

/** Names → addresses: one question at a time per name, few at once, answers kept for seconds. */
export class Resolver {
  private readonly asking = new Map<string, Promise<Address[]>>()
  private readonly kept = new Map<string, { until: number; answer: Answer }>()
  private readonly queue: (() => void)[] = []
  private busy = 0

  constructor(private readonly ask: SystemLookup = askSystem) {}

  resolve(host: string): Promise<Address[]> {
    const literal = isIP(host)
    if (literal) return Promise.resolve([{ address: host, family: literal as 4 | 6 }])
    const known = this.kept.get(host)
    if (known && known.until > Date.now())
      return 'error' in known.answer ? Promise.reject(known.answer.error) : Promise.resolve(known.answer.addresses)
    const running = this.asking.get(host) ?? this.question(host)
    this.asking.set(host, running)
    return running
  }

  private async question(host: string): Promise<Address[]> {
    await this.turn()
    try {
      const addresses = (await this.ask(host)) as Address[]
      if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' })
      this.keep(host, { addresses }, keepMs)
      return addresses
    } catch (error) {
      const failure = dnsError(host, error)
      this.keep(host, { error: failure }, keepFailureMs)
      throw failure
    } finally {
      this.asking.delete(host)
      this.busy--
      this.queue.shift()?.()
    }
  }

  private async turn(): Promise<void> {
    if (this.busy >= atOnce) await new Promise<void>((resolve) => this.queue.push(resolve))
    this.busy++
  }

  private keep(host: string, answer: Answer, ms: number): void {
    if (this.kept.size >= mostKept) this.kept.clear()
    this.kept.set(host, { until: Date.now() + ms, answer })
  }
}

function dnsError(host: string, error: unknown): NetworkError {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOTFOUND' || code === 'ENODATA' || code === 'EAI_NODATA')
    return new NetworkError('dns', `The host ${host} was not found`, { cause: error })
  if (code === 'EAI_AGAIN' || code === 'ETIMEOUT' || code === 'ESERVFAIL') {
    return new NetworkError('dns', `The name server did not answer for ${host}`, { cause: error })
  }
  return new NetworkError('dns', `The host ${host} could not be resolved`, { cause: error })
}
