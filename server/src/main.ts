import { apply } from './cli/apply.ts'
import { columns, type Command, helpOf, parseCommand, UsageError } from './cli/command.ts'
import { exportDocuments } from './cli/export.ts'
import { keys } from './cli/keys.ts'
import { migrate } from './cli/migrate.ts'
import { seed } from './cli/seed.ts'
import { start, worker } from './cli/start.ts'
import { token } from './cli/token.ts'
import { user } from './cli/user.ts'
import { AppError, StartupError } from './platform/errors.ts'
import { version } from './platform/paths.ts'

const commands: Command[] = [start, worker, migrate, apply, exportDocuments, seed, user, token, keys]

/** Runs one command of the command line; what goes wrong for a reason a person can mend is one line, without a stack. */
export async function main(argv: string[]): Promise<void> {
  // Whoever read our words may leave before the end (`quarterdeck export | head`): nobody to complain to.
  process.stdout.on('error', ignoreClosedPipe)
  process.stderr.on('error', ignoreClosedPipe)
  try {
    await run(argv)
  } catch (error) {
    const words = wordsOf(error)
    if (words === undefined) throw error
    process.stderr.write(`${words}\n`)
    process.exit(error instanceof UsageError ? 2 : 1)
  }
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

/** Undefined for what no person can mend: a mistake of ours, which needs its stack. */
function wordsOf(error: unknown): string | undefined {
  if (error instanceof StartupError) return error.message
  if (error instanceof AppError) {
    const [first, ...more] = [error.message, error.details, error.hint].filter(Boolean)
    return more.length > 0 ? `${first}: ${more.join(' ')}` : first!
  }
  if (!(error instanceof Error)) return undefined
  if ('severity' in error) return `The database refused: ${error.message}.`
  // A file or a connection; Node says which in the message.
  return 'syscall' in error ? `This did not work: ${error.message}.` : undefined
}

async function run(argv: string[]): Promise<void> {
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const asked = commands.find((command) => command.name === rest[0])
    process.stdout.write(asked ? helpOf(asked) : overview())
    return
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${version}\n`)
    return
  }
  const command = commands.find((one) => one.name === name)
  if (!command) throw new UsageError(`There is no command "${name}". Run quarterdeck --help for the list.`)
  if (rest.includes('--help') || rest.includes('-h')) process.stdout.write(helpOf(command))
  else await command.run(parseCommand(command, rest))
}

function overview(): string {
  return [
    `Quarterdeck ${version}: health checks, catalog, topology, incidents and playbooks in one console.`,
    '',
    'Usage: quarterdeck COMMAND [options]',
    '',
    'Commands:',
    ...columns(commands.map((command) => [`  ${command.name}`, command.summary] as const)),
    '',
    'quarterdeck COMMAND --help explains one command. Settings come from the environment; README.md lists them.',
    '',
  ].join('\n')
}
