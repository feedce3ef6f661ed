import { type ParseArgsConfig, parseArgs } from 'node:util'
import { StartupError } from '../platform/errors.ts'

export interface Option {
  type: 'string' | 'boolean'
  short?: string
  multiple?: boolean
  /** What stands for the value in the help, for example FILE. */
  value?: string
  meaning: string
}

export interface Arguments {
  values: Record<string, string | boolean | string[] | undefined>
  positionals: string[]
}

export interface Command {
  name: string
  /** One line for the list of commands. */
  summary: string
  /** After `quarterdeck`, one line per form. */
  usage: string[]
  /** A few sentences a newcomer needs. */
  about?: string
  options?: Record<string, Option>
  examples: string[]
  run(given: Arguments): Promise<void>
}

/** A mistake in what was typed; the command's own help says how it should be. */
export class UsageError extends StartupError {
  override name = 'UsageError'
}

export function parseCommand(command: Command, argv: string[]): Arguments {
  const options = Object.fromEntries(
    Object.entries(command.options ?? {}).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short && { short }), ...(multiple && { multiple }) },
    ]),
  ) satisfies ParseArgsConfig['options']
  try {
    const parsed = parseArgs({ args: argv, options, allowPositionals: true, strict: true })
    return parsed as Arguments
  } catch (error) {
    const words = (error as Error).message.split(/\.?(?:\n|\. |$)/)[0]
    throw new UsageError(`${words}. See quarterdeck ${command.name} --help.`)
  }
}

/** Words that a command has no use for are a mistake, not something to pass over. */
export function refuseWords(command: string, words: readonly string[]): void {
  if (words.length > 0)
    throw new UsageError(`${command} takes no "${words[0]}". See quarterdeck ${command.split(' ')[0]} --help.`)
}

export function helpOf(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(([name, option]) => {
    const short = option.short ? `-${option.short}, ` : '    '
    return [`  ${short}--${name}${option.value ? ` ${option.value}` : ''}`, option.meaning] as const
  })
  return [
    command.summary,
    '',
    'Usage:',
    ...command.usage.map((line) => `  quarterdeck ${line}`),
    ...(command.about ? ['', command.about] : []),
    ...(options.length > 0 ? ['', 'Options:', ...columns(options)] : []),
    '',
    'Examples:',
    ...command.examples.map((line) => `  ${line}`),
    '',
  ].join('\n')
}

/** Two columns, the second aligned. */
export function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length)) + 2
  return rows.map(([first, second]) => `${first.padEnd(width)}${second}`)
}
