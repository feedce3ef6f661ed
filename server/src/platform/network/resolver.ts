import { lookup as systemLookup } from 'node:dns'
import { Resolver as NameServers } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
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

/** Whether a name server says anything about a name, in time; tests put their own here. */
export type Probe = (host: string) => Promise<boolean>

/** Asks without blocking a thread. Any answer will do, "no such name" included: the system then answers quickly too. */
const askNameServer: Probe = async (host) => {
  if (isInHosts(host)) return true
  const servers = new NameServers({ timeout: 1_500, tries: 2 })
  const isSilent = (error: NodeJS.ErrnoException) => error.code === 'ETIMEOUT' || error.code === 'ECANCELLED'
  const answered = (question: Promise<unknown>) =>
    question.then(
      () => true,
      (error: NodeJS.ErrnoException) => !isSilent(error),
    )
  return (await Promise.all([answered(servers.resolve4(host)), answered(servers.resolve6(host))])).some(Boolean)
}

function isInHosts(host: string): boolean {
  try {
    return readFileSync('/etc/hosts', 'utf8').toLowerCase().split(/\s+/).includes(host.toLowerCase())
  } catch {
    return false
  }
}

const keepMs = 5_000
const keepFailureMs = 1_000
// The system's resolver blocks one of four threads that files and keys need too; it must never take the last.
const atOnce = 3
const mostKept = 5_000
/** A name that was answered this recently is asked for without a probe. */
const trustMs = 10 * 60_000
const slowMs = 1_000

type Answer = { addresses: Address[] } | { error: Error }

/**
 * Names → addresses: one question at a time per name, few at once, answers kept for seconds. The system's resolver
 * waits ten seconds and more for a name server that says nothing, so it is asked only about names that get an answer:
 * one dead zone must not hold up every other name.
 */
export class Resolver {
  private readonly asking = new Map<string, Promise<Address[]>>()
  private readonly kept = new Map<string, { until: number; answer: Answer }>()
  private readonly trusted = new Map<string, number>()
  private readonly queue: (() => void)[] = []
  private readonly since = new Set<number>()
  private busy = 0

  constructor(
    private readonly ask: SystemLookup = askSystem,
    private readonly probe: Probe = ask === askSystem ? askNameServer : () => Promise.resolve(true),
  ) {}

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
    try {
      if (this.isDoubtful(host) && !(await this.probe(host)))
        throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' })
      const addresses = await this.askInTurn(host)
      if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' })
      this.keep(host, { addresses }, keepMs)
      return addresses
    } catch (error) {
      const failure = dnsError(host, error)
      this.keep(host, { error: failure }, keepFailureMs)
      throw failure
    } finally {
      this.asking.delete(host)
    }
  }

  /** Names without a dot are for the hosts file or a search list; the system alone knows those. */
  private isDoubtful(host: string): boolean {
    if (!host.includes('.') || host.endsWith('.local') || host.endsWith('.localhost')) return false
    const isStuck = [...this.since].some((at) => performance.now() - at > slowMs)
    return isStuck || (this.trusted.get(host) ?? 0) < Date.now()
  }

  private async askInTurn(host: string): Promise<Address[]> {
    await this.turn()
    const started = performance.now()
    this.since.add(started)
    try {
      return (await this.ask(host)) as Address[]
    } finally {
      this.since.delete(started)
      this.trust(host, performance.now() - started < slowMs)
      this.busy--
      this.queue.shift()?.()
    }
  }

  private trust(host: string, isQuick: boolean): void {
    if (this.trusted.size >= mostKept) this.trusted.clear()
    if (isQuick) this.trusted.set(host, Date.now() + trustMs)
    else this.trusted.delete(host)
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
