import type { Context } from '../../context.ts'

/** What a client of a foreign service needs of whoever uses it: a check, a scrape, the test of a connection. */
export interface ClientRun {
  ctx: Context
  /** Aborted when the time is up or nobody waits any more. */
  signal: AbortSignal
  /** Milliseconds there are before `signal` fires. */
  timeout: number
  /** Remembers an opened secret, so that it is removed from every text that leaves. */
  secret(value: string): void
}

/** Where to and as whom. */
export interface Target {
  url?: string
  username?: string
  password?: string
  certificate?: string
  properties: Record<string, string>
  insecureTls: boolean
}

/** Nothing could be tried at all: the address cannot be read, a value is missing, a program is not installed. */
export class InvalidTarget extends Error {
  override name = 'InvalidTarget'
}
