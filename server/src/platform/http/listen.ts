import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { StartupError } from '../errors.ts'

/** Says early, before anything else is started, that the port cannot be had; a predecessor that is just stopping gets a moment. */
export async function requireFreePort(host: string, port: number, setting: string, patience = 2000): Promise<void> {
  const until = Date.now() + patience
  for (;;) {
    const error = await tryPort(host, port)
    if (!error) return
    if (error.code !== 'EADDRINUSE' || Date.now() > until) throw refusal(error, host, port, setting)
    await sleep(100)
  }
}

function tryPort(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', resolve)
    probe.listen(port, host, () => probe.close(() => resolve(undefined)))
  })
}

/** Listens and returns the real address, also when any free port was asked for. */
export async function listen(app: FastifyInstance, host: string, port: number, setting = 'PORT'): Promise<string> {
  try {
    await app.listen({ host, port, listenTextResolver: (address) => `listening on ${address}` })
  } catch (error) {
    throw refusal(error as NodeJS.ErrnoException, host, port, setting)
  }
  const address = app.server.address()
  const actual = typeof address === 'object' && address ? address.port : port
  return `http://${host.includes(':') ? `[${host}]` : host}:${actual}`
}

function refusal(error: NodeJS.ErrnoException, host: string, port: number, setting: string): StartupError {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartupError(
        `Port ${port} is taken: stop the program that listens there, or set ${setting} to another port.`,
      )
    case 'EACCES':
      return new StartupError(`Port ${port} may not be used by this user: set ${setting} to one above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartupError(
        `This machine has no address ${host}: set HOST to one it has, for example 127.0.0.1 or 0.0.0.0.`,
      )
    default:
      return new StartupError(`Cannot listen on ${host} port ${port}: ${error.message}.`)
  }
}
