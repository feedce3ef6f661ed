import { NeedsHost, OutOfSteps, ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import { JqError } from './data.ts'
import { Machine } from './evaluate.ts'
import { filterNatives, valueNatives } from './natives.ts'
import { parseJq } from './parser.ts'
import { prelude } from './prelude.ts'
import type { Jq } from './syntax.ts'

const programs = new Map<string, Jq>()

function parsed(source: string, run: Run): Jq {
  const known = programs.get(source)
  if (known) return known
  run.spend(source.length * 2)
  const program = parseJq(source)
  if (programs.size >= 500) programs.delete(programs.keys().next().value!)
  programs.set(source, program)
  return program
}

/** All outputs of a jq program for one input (JSON data). Nothing outside the input can be read. */
export function jqAll(run: Run, source: string, input: unknown): unknown[] {
  const machine = new Machine(run, { filters: filterNatives, values: valueNatives, prelude })
  try {
    return machine.all({ body: parsed(source, run), scope: null }, input)
  } catch (error) {
    if (error instanceof JqError) throw new ValueError(`jq: ${error.message}`)
    if (error instanceof RangeError) throw new ValueError('jq: the program calls itself too deeply')
    if (error instanceof ValueError || error instanceof OutOfSteps || error instanceof NeedsHost) throw error
    throw new ValueError(`jq: ${(error as Error).message}`)
  }
}

/** One result as itself, several as a list, none as null. */
export function jq(run: Run, source: string, input: unknown): unknown {
  const results = jqAll(run, source, input)
  return results.length > 1 ? results : (results[0] ?? null)
}
