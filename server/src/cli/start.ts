import { readConfig } from '../config.ts'
import { type Role, roles, serve } from '../serve.ts'
import { type Command, UsageError } from './command.ts'

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
    port: { type: 'string', short: 'p', value: 'PORT', meaning: 'listen on this port instead of the one in PORT' },
  },
  examples: [
    'quarterdeck start',
    'PORT=8080 HOST=0.0.0.0 quarterdeck start',
    'DATABASE_URL=postgres://me:secret@db/quarterdeck quarterdeck start --role web',
  ],
  async run({ values, positionals }) {
    if (positionals.length > 0)
      throw new UsageError(`start takes no "${positionals[0]}". See quarterdeck start --help.`)
    const role = (values.role ?? 'all') as Role
    if (!roles.includes(role)) throw new UsageError(`--role is all, web or worker, not "${role}".`)
    await serve(readConfig({ ...process.env, ...(values.port !== undefined && { PORT: String(values.port) }) }), role)
  },
}
