import { type CelKind, type Evaluated, evaluateCel } from './cel/cel.ts'
import { ExpressionError, type Language, ValueError } from './errors.ts'
import { runTemplate, type TemplateOptions } from './gotemplate/gotemplate.ts'
import { loadJavascript, runJavascript } from './javascript/javascript.ts'
import { queryPath } from './jsonpath/jsonpath.ts'
import { isTemplate, renderPathTemplate } from './jsonpath/kubectl.ts'
import type { Limits, Run } from './run.ts'
import { goText } from './values/print.ts'
import { toHost } from './values/values.ts'

/** One expression, ready to be sent to another thread. */
export interface Source {
  language: Language
  text: string
  /** Which functions CEL knows. */
  kind: CelKind
  template?: TemplateOptions
}

/** What must be loaded before `evaluateSource` may be called. */
export const prepareSource = async ({ language }: Source): Promise<void> => {
  if (language === 'javascript') await loadJavascript()
}

/** Evaluates on this thread, within the budget of `run`. */
export function evaluateSource(
  source: Source,
  env: Record<string, unknown>,
  run: Run,
  limits: Limits,
  hostNames: readonly string[],
): Evaluated {
  try {
    switch (source.language) {
      case 'cel':
        return evaluateCel(source.text, env, run, source.kind)
      case 'gotemplate': {
        const text = runTemplate(source.text, env, run, source.template)
        return { value: text, text }
      }
      case 'jsonpath': {
        if (isTemplate(source.text)) {
          const text = renderPathTemplate(source.text, env, run)
          return { value: text, text }
        }
        const value = toHost(queryPath(source.text, env, run) ?? null)
        return { value, text: value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : goText(value) }
      }
      case 'javascript':
        return runJavascript(source.text, env, run, limits, hostNames)
    }
  } catch (error) {
    if (error instanceof ValueError) {
      throw new ExpressionError({ message: error.message, kind: 'evaluation', language: source.language })
    }
    if (error instanceof RangeError && source.language !== 'javascript') {
      throw new ExpressionError({
        message: 'The expression is nested too deeply',
        kind: 'limit',
        language: source.language,
      })
    }
    throw error
  }
}
