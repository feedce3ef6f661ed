import { spawn } from 'node:child_process'
import { chmodSync, createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { servers } from './servers.mjs'

export async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (result) => {
      socket.destroy()
      resolve(result)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}

/** Starts every server in a folder of its own and gives back their addresses by name. */
export async function startServers(folder, onStart) {
  // Servers that run as users of their own must be able to pass through.
  chmodSync(folder, 0o755)
  const started = await Promise.all(
    Object.entries(servers).map(async ([name, start]) => {
      const own = join(folder, name)
      mkdirSync(own)
      const log = join(own, 'server.log')
      const launch = (program, args, options = {}) => {
        const child = spawn(program, args, { cwd: own, detached: true, stdio: ['ignore', 'pipe', 'pipe'], ...options })
        const out = createWriteStream(log, { flags: 'a' })
        child.stdout.pipe(out, { end: false })
        child.stderr.pipe(out, { end: false })
        onStart(child)
        return child
      }
      const until = async (port) => {
        for (let tries = 0; tries < 300; tries++) {
          if (await answers(port)) return
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
        throw new Error(`${name} does not answer on port ${port}:\n${readFileSync(log, 'utf8').slice(-2000)}`)
      }
      return [name, await start({ folder: own, launch, freePort, until })]
    }),
  )
  return Object.fromEntries(started)
}
