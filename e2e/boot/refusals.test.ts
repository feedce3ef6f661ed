import { createServer } from 'node:net'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { removeFolder, root, runCommand, type RunOptions, scratchFolder, startProduct } from '../fixtures/product.ts'

const folder = scratchFolder()
afterAll(() => removeFolder(folder))

/** One clear line, an exit code, no stack. */
async function refusal(args: string[], options: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args, options)
  expect(code).not.toBe(0)
  expect(stdout).toBe('')
  // While somebody edits the sources, a run may build again.
  const lines = stderr
    .trim()
    .split('\n')
    .filter((line) => !/^Buil(ding|t) /.test(line))
  expect(lines).toHaveLength(1)
  expect(stderr).not.toMatch(/^\s+at /m)
  return lines[0]!
}

const start = (env: Record<string, string>, options: RunOptions = {}) =>
  refusal(['start'], { ...options, env: { QUARTERDECK_DATA_DIR: join(folder, 'unused'), ...env } })

describe.concurrent('a start that cannot be says why in one line', () => {
  test('port taken', async () => {
    const blocker = createServer()
    const port = await new Promise<number>((resolve) =>
      blocker.listen(0, '127.0.0.1', () => resolve((blocker.address() as { port: number }).port)),
    )
    expect(await start({ PORT: String(port) })).toBe(
      `Port ${port} is taken: stop the program that listens there, or set PORT to another port.`,
    )
    blocker.close()
  })

  test('data folder in use', async () => {
    const data = join(folder, 'used')
    const product = await startProduct({ env: { QUARTERDECK_DATA_DIR: data } })
    expect(await start({ QUARTERDECK_DATA_DIR: data })).toContain(
      `Data folder ${data} is in use by process ${product.pid}`,
    )
    await product.stop()
  })

  test('data folder is a file', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(await start({ QUARTERDECK_DATA_DIR: file })).toContain(`Data folder ${file} is not a folder`)
  })

  test('data folder not writable', async () => {
    const data = join(folder, 'closed')
    mkdirSync(data)
    chmodSync(data, 0o555)
    const user = process.getuid?.() === 0 ? { uid: 65534 } : {}
    expect(await start({ QUARTERDECK_DATA_DIR: data }, user)).toContain(`Data folder ${data} is not writable`)
  })

  test('database unreachable', async () => {
    const line = await start({ DATABASE_URL: 'postgres://me:hidden-word@127.0.0.1:1/shop' })
    expect(line).toContain('The database of DATABASE_URL (127.0.0.1:1/shop) cannot be used: nobody listens there')
    expect(line).not.toContain('hidden-word')
  })

  test('database of an unknown host', async () => {
    const line = await start({ DATABASE_URL: 'postgres://me@no-such-host.invalid/shop' })
    expect(line).toContain('its host name')
  })

  test('database too old', async () => {
    const old = await oldPostgres()
    const line = await start({ DATABASE_URL: `postgres://me@127.0.0.1:${old.port}/shop` })
    expect(line).toBe('The database of DATABASE_URL is PostgreSQL 13: Quarterdeck needs 14 or later.')
    old.close()
  })

  test('bad settings', async () => {
    expect(await start({ PORT: 'many' })).toContain('Setting PORT is wrong: "many": must be a number from 0 to 65535.')
    expect(await start({ QUARTERDECK_AUTH: 'magic' })).toContain('Setting QUARTERDECK_AUTH is wrong: "magic"')
    expect(await start({ QUARTERDECK_NETWORK_DENY: 'intranet' })).toContain('Setting QUARTERDECK_NETWORK_DENY is wrong')
    const line = await start({ DATABASE_URL: 'mysql://me:hidden-word@db/shop' })
    expect(line).toContain('Setting DATABASE_URL is wrong')
    expect(line).not.toContain('hidden-word')
  })

  test('a way of signing in that cannot work', async () => {
    expect(await start({ QUARTERDECK_AUTH: 'kratos' })).toContain('QUARTERDECK_AUTH=kratos needs KRATOS_URL')
    expect(await start({ QUARTERDECK_AUTH: 'plain' })).toContain(
      'QUARTERDECK_AUTH=plain needs QUARTERDECK_PASSWORD_FILE',
    )
    expect(await start({ QUARTERDECK_AUTH: 'clerk' })).toContain('QUARTERDECK_AUTH=clerk needs CLERK_PUBLISHABLE_KEY')
  })

  test('an address that this machine does not have', async () => {
    expect(await start({ HOST: '203.0.113.7' })).toContain('This machine has no address 203.0.113.7')
  })

  test('unknown command and flag', async () => {
    expect(await refusal(['launch'], {})).toBe('There is no command "launch". Run quarterdeck --help for the list.')
    expect(await refusal(['start', '--fast'], {})).toContain("Unknown option '--fast'")
    expect(await refusal(['start', '--role', 'boss'], {})).toContain('--role is all, web or worker')
    expect(await refusal(['seed', '--configs', '-1'], {})).toBe(
      "Option '--configs' argument is ambiguous. See quarterdeck seed --help.",
    )
    expect(await refusal(['migrate', 'now'], {})).toBe('migrate takes no "now". See quarterdeck migrate --help.')
    expect(await refusal(['user', 'disable', 'a@example.org', 'b@example.org'], {})).toContain(
      'user disable takes no "b@example.org"',
    )
  })

  test('a Node that is too old', async () => {
    const pretend = join(folder, 'old-node.cjs')
    writeFileSync(pretend, `Object.defineProperty(process.versions, 'node', { value: '18.20.1' })`)
    const line = await refusal(['start'], { nodeArgs: ['--require', pretend] })
    expect(line).toBe(
      'Quarterdeck needs Node 20.19 or later, this is Node 18.20.1: install a newer one from https://nodejs.org and try again.',
    )
  })
})

/** Speaks just enough of the protocol to be asked for its version. */
async function oldPostgres(): Promise<{ port: number; close(): void }> {
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(type), length, body])
  }
  const text = (value: string) => Buffer.from(`${value}\0`)
  const number16 = (value: number) => Buffer.from([value >> 8, value & 255])
  const ready = message('Z', Buffer.from('I'))
  const server = createServer((socket) => {
    let greeted = false
    socket.on('error', () => {})
    socket.on('data', () => {
      if (!greeted) {
        greeted = true
        socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]))
        return
      }
      const column = Buffer.concat([
        text('version'),
        Buffer.alloc(6),
        Buffer.from([0, 0, 0, 25]),
        number16(65535),
        Buffer.alloc(6),
      ])
      const value = Buffer.from('130004')
      const row = Buffer.concat([number16(1), Buffer.from([0, 0, 0, value.length]), value])
      socket.write(
        Buffer.concat([
          message('T', Buffer.concat([number16(1), column])),
          message('D', row),
          message('C', text('SELECT 1')),
          ready,
        ]),
      )
    })
  })
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
  return { port, close: () => server.close() }
}

test('the words of --help lead a newcomer', async () => {
  const overview = await runCommand(['--help'])
  expect(overview.code).toBe(0)
  expect(overview.stdout).toContain('quarterdeck COMMAND --help')
  const names = [...overview.stdout.matchAll(/^ {2}(\w+) {2,}/gm)].map((match) => match[1]!)
  expect(names).toContain('start')
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  expect([...readme.matchAll(/^\| `quarterdeck (\w+)` \|/gm)].map((match) => match[1])).toEqual(names)
  for (const name of names) {
    const { code, stdout } = await runCommand([name, '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain(`quarterdeck ${name}`)
    expect(stdout).toContain('Examples:')
  }
})
