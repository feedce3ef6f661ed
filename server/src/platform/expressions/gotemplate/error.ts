import { ExpressionError, type FailureKind, placeOf } from '../errors.ts'

export function goTemplateError(source: string, offset: number, message: string, kind: FailureKind): ExpressionError {
  const place = placeOf(source, offset)
  return new ExpressionError({
    message: `${message} (line ${place.line}, column ${place.column})`,
    kind,
    language: 'gotemplate',
    ...place,
  })
}
