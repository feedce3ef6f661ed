import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readConfig, unknownSettings } from '../config.ts'
import { type Command, type Option, refuseWords, UsageError } from './command.ts'
import { tell } from './output.ts'

const roles = ['all', 'web', 'worker'] as const
type Role = (typeof roles)[number]

const port: Option = {
  type: 'string',
  short: 'p',
  value: 'PORT',
  meaning: 'listen on this port instead of the one in PORT',
}

export const start: Command = {
  name: 'start',
  summary: 'Start the product: console, API, worker and, unless DATABASE_URL is set, a database of its own.',
  usage: ['start [--role all|web|worker] [--port PORT]'],
  about:
    'Settings come from the environment; README.md lists them. The line "Quarterdeck ready on http://HOST:PORT" on\n' +
    'standard output says that it serves. Ctrl-C stops everything.',
  options: {
    role: {
      type: 'string',
      value: 'ROLE',
      meaning: 'web serves console and API, worker runs the engines, all does both (default)',
    },
    port,
  },
  examples: [
    'quarterdeck start',
    'PORT=8080 HOST=0.0.0.0 quarterdeck start',
    'DATABASE_URL=postgres://me:secret@db/quarterdeck quarterdeck start --role web',
  ],
  async run({ values, positionals }) {
    refuseWords('start', positionals)
    const role = (values.role ?? 'all') as Role
    if (!roles.includes(role)) throw new UsageError(`--role is all, web or worker, not "${role}".`)
    await begin(role, values.port)
  },
}

export const worker: Command = {
  name: 'worker',
  summary: 'Start only the engines: one more process, or one more machine, for the work in the background.',
  usage: ['worker [--port PORT]'],
  about:
    'Work is shared with every other process on the same database; nothing runs twice. Without DATABASE_URL it joins the\n' +
    'product that runs on the same data folder.',
  options: { port: { ...port, meaning: 'answer /healthz, /readyz and /metrics on this port' } },
  examples: ['quarterdeck worker', 'DATABASE_URL=postgres://me:secret@db/quarterdeck quarterdeck worker --port 9090'],
  async run({ values, positionals }) {
    refuseWords('worker', positionals)
    await begin('worker', values.port)
  },
}

async function begin(role: Role, given: unknown): Promise<void> {
  const config = readConfig({ ...process.env, ...(given !== undefined && { PORT: String(given) }) })
  for (const name of unknownSettings(process.env))
    tell(`${name} is no setting of Quarterdeck and does nothing; README.md lists them.`)
  for (const name of ['QUARTERDECK_RESOURCES_DIR', 'QUARTERDECK_PROPERTIES_FILE'] as const) {
    const path = process.env[name]
    if (path && !existsSync(path))
      tell(`${name} names ${resolve(path)}, which is not there; it is read when it appears.`)
  }
  // Loaded here, so that the other commands need not wait for all of the product.
  const { serve } = await import('../serve.ts')
  await serve(config, { role, ...(role === 'worker' && given !== undefined && { healthPort: config.PORT }) })
}
