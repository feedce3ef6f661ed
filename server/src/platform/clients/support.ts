import { InvalidTarget } from './run.ts'

/** Splits host:port; an IPv6 address stands in brackets. */
export function hostAndPort(endpoint: string): { host: string; port: number } {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(endpoint)
  const port = Number(match?.[3])
  if (!match || port < 1 || port > 65_535) throw new InvalidTarget(`"${endpoint}" is not host:port`)
  return { host: (match[1] ?? match[2])!, port }
}

/** A driver that is not part of every installation. */
export async function driver<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error
    throw new InvalidTarget(`the client "${name}" is not installed; run: npm install ${name}`)
  }
}

/** Ends `close` when the run is cut off, so that drivers without signals end too. */
export function onAbort(signal: AbortSignal, close: () => void): () => void {
  if (signal.aborted) close()
  signal.addEventListener('abort', close, { once: true })
  return () => signal.removeEventListener('abort', close)
}
