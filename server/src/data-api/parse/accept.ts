import { mediaTypeRefused } from '../errors.ts'

export interface Answer {
  kind: 'array' | 'object' | 'csv' | 'openapi'
  /** Leave keys out whose value is null. */
  stripNulls: boolean
}

const json: Answer = { kind: 'array', stripNulls: false }

/** Chooses how to answer: the accepted type with the highest weight that we can make, earlier ones first. */
export function parseAccept(header: string | undefined, root: boolean): Answer {
  if (header === undefined || header === '' || header === 'application/json' || header === '*/*') return json
  const accepted = header
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = parameters.find((text) => text.startsWith('q='))
      return { type, parameters, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
    })
    .filter((entry) => entry.weight > 0)
    .sort((a, b) => b.weight - a.weight)
  for (const { type, parameters } of accepted) {
    const answer = answerFor(type, parameters.includes('nulls=stripped'), root)
    if (answer) return answer
  }
  throw mediaTypeRefused(header)
}

function answerFor(type: string, stripNulls: boolean, root: boolean): Answer | undefined {
  switch (type) {
    case '*/*':
    case 'application/*':
    case 'application/json':
      return json
    case 'application/vnd.pgrst.array+json':
    case 'application/vnd.pgrst.array':
      return { kind: 'array', stripNulls }
    case 'application/vnd.pgrst.object+json':
    case 'application/vnd.pgrst.object':
      return { kind: 'object', stripNulls }
    case 'text/csv':
      return root ? undefined : { kind: 'csv', stripNulls: false }
    case 'application/openapi+json':
      return root ? { kind: 'openapi', stripNulls: false } : undefined
    default:
      return undefined
  }
}
