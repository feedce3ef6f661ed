import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { QuickJSContext, QuickJSWASMModule } from 'quickjs-emscripten'
import { ExpressionError } from '../errors.ts'
import type { Limits, Run } from '../run.ts'
import { goText } from '../values/print.ts'
import { toHost } from '../values/values.ts'
import type { Evaluated } from '../cel/cel.ts'

/** Users' JavaScript: an interpreter in WebAssembly that sees the environment as globals and nothing of the server. */

let engine: QuickJSWASMModule | undefined
let underscore: string | undefined

/** Loads the interpreter; only processes that run JavaScript pay for it. */
export async function loadJavascript(): Promise<void> {
  if (engine) return
  const { getQuickJS } = await import('quickjs-emscripten')
  engine = await getQuickJS()
  const require = createRequire(import.meta.url)
  underscore = readFileSync(require.resolve('underscore/underscore-umd-min.js'), 'utf8')
}

const stackBytes = 512 * 1024

function failure(error: unknown, limits: Limits, late: boolean): ExpressionError {
  const given = (error ?? {}) as { name?: string; message?: string; stack?: string }
  const at = /<input>:(\d+)(?::(\d+))?|expression\.js:(\d+)(?::(\d+))?/.exec(given.stack ?? '')
  const line = at ? Number(at[1] ?? at[3]) : undefined
  const column = at ? Number(at[2] ?? at[4] ?? 1) : undefined
  const place = line === undefined ? '' : ` (line ${line}, column ${column})`
  if (late) {
    return new ExpressionError({
      message: `The script ran longer than ${limits.timeoutMs} ms and was stopped`,
      kind: 'limit',
      language: 'javascript',
    })
  }
  if (/out of memory/.test(given.message ?? '')) {
    const size = Math.round(limits.memoryBytes / 1024 / 1024)
    return new ExpressionError({
      message: `The script needs more than ${size} MB of memory`,
      kind: 'limit',
      language: 'javascript',
    })
  }
  const message = given.message === undefined ? goText(toHost(error)) : `${given.name ?? 'Error'}: ${given.message}`
  return new ExpressionError({
    message: message + place,
    kind: given.name === 'SyntaxError' ? 'syntax' : 'evaluation',
    language: 'javascript',
    line,
    column,
  })
}

function setGlobals(context: QuickJSContext, env: Record<string, unknown>): void {
  const json = JSON.stringify(toHost(env))
  const text = context.newString(json)
  context.setProp(context.global, '__env', text)
  text.dispose()
  const script = `{ const given = JSON.parse(globalThis.__env); delete globalThis.__env
    for (const key of Object.keys(given)) Object.defineProperty(globalThis, key, { value: given[key], writable: true, configurable: true, enumerable: true }) }`
  context.unwrapResult(context.evalCode(script, 'environment.js')).dispose()
}

/** Runs a script in a fresh interpreter; the value of its last statement is the result. Host functions answer from `run`. */
export function runJavascript(
  script: string,
  env: Record<string, unknown>,
  run: Run,
  limits: Limits,
  hostNames: readonly string[],
): Evaluated {
  if (!engine) throw new Error('the JavaScript interpreter is not loaded')
  const runtime = engine.newRuntime()
  const until = Date.now() + limits.timeoutMs
  let late = false
  runtime.setMemoryLimit(limits.memoryBytes)
  runtime.setMaxStackSize(stackBytes)
  runtime.setInterruptHandler(() => {
    late = Date.now() > until
    return late
  })
  const context = runtime.newContext()
  let waiting: unknown
  try {
    // Reading it takes thirty times as long as most scripts, so only those that use it pay.
    if (/(?<![\w$])_(?![\w$])/.test(script))
      context.unwrapResult(context.evalCode(underscore!, 'underscore.js')).dispose()
    setGlobals(context, env)
    for (const name of hostNames) {
      if (name.includes('.')) continue
      const host = context.newFunction(name, (...args) => {
        try {
          const answer = run.host(
            name,
            args.map((arg) => context.dump(arg) as unknown),
          )
          return context.unwrapResult(context.evalCode(`(${JSON.stringify(toHost(answer) ?? null)})`))
        } catch (error) {
          // Kept aside: the script might catch what crosses the border.
          waiting ??= error
          throw error
        }
      })
      context.setProp(context.global, name, host)
      host.dispose()
    }
    const result = context.evalCode(script, 'expression.js', { strict: false })
    if (waiting) {
      if (result.error) result.error.dispose()
      else result.value.dispose()
      throw waiting
    }
    if (result.error) {
      const error = context.dump(result.error) as unknown
      result.error.dispose()
      throw failure(error, limits, late)
    }
    const value = toHost(context.dump(result.value))
    result.value.dispose()
    const text =
      value !== null && typeof value === 'object' ? JSON.stringify(value) : value === null ? '' : goText(value)
    run.allowText(text.length)
    return { value, text }
  } finally {
    context.dispose()
    runtime.dispose()
  }
}
