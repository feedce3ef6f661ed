import { celProgram } from './cel/cel.ts'
import { ExpressionError, type Failure } from './errors.ts'
import type { Source } from './evaluate-source.ts'
import { compileTemplate } from './gotemplate/gotemplate.ts'
import { checkPath } from './jsonpath/jsonpath.ts'
import { checkPathTemplate, isTemplate } from './jsonpath/kubectl.ts'

/** Compiles without running. JavaScript is only checked when it runs. */
export function checkSource(source: Source): Failure | undefined {
  try {
    switch (source.language) {
      case 'cel':
        celProgram(source.text, source.kind)
        break
      case 'gotemplate':
        compileTemplate(source.text, source.template)
        break
      case 'jsonpath':
        if (isTemplate(source.text)) checkPathTemplate(source.text)
        else checkPath(source.text)
        break
      case 'javascript':
        break
    }
    return undefined
  } catch (error) {
    if (error instanceof ExpressionError) return error.toFailure()
    throw error
  }
}
