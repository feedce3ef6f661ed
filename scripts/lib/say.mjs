// What the scripts tell the person in front of the terminal; standard output stays free for the product's ready line.
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

export function say(line) {
  process.stderr.write(`${line}\n`)
}

/** A problem the person can do something about: one line, no stack. */
export class Problem extends Error {}

/** Says what goes on, repeats with the seconds while it lasts, and says how long it took. */
export async function step(doing, done, work) {
  say(`${doing} …`)
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  const ticker = setInterval(() => say(`${doing} … ${seconds()} s`), 10_000)
  try {
    const result = await work()
    say(`${done} in ${((Date.now() - started) / 1000).toFixed(1)} s`)
    return result
  } finally {
    clearInterval(ticker)
  }
}
