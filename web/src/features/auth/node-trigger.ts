import type { UiNode } from './flows.ts'

type Callable = (...values: unknown[]) => unknown

/**
 * Runs what a button of the identity service asks for. Its `onclick` is script text, which the page's policy forbids to
 * evaluate; it always has the form `window.name(JSON)`, so that call is made without evaluating anything.
 */
export function runTrigger(attributes: UiNode['attributes']): unknown {
  const { onclick, onclickTrigger } = attributes
  if (typeof onclickTrigger === 'string' && onclickTrigger !== '') return scriptFunction(onclickTrigger)()
  if (typeof onclick !== 'string' || onclick === '') return undefined
  const call = /^\s*window\.(\w+)\(([\s\S]*)\)\s*;?\s*$/.exec(onclick)
  if (!call) throw new Error('The identity service asks for an action this console does not know')
  return scriptFunction(call[1]!)(...(JSON.parse(`[${call[2]!}]`) as unknown[]))
}

function scriptFunction(name: string): Callable {
  const found = Object.hasOwn(window, name) ? (window as unknown as Record<string, unknown>)[name] : undefined
  if (typeof found !== 'function') throw new Error('A script of the identity service has not loaded')
  return found as Callable
}
