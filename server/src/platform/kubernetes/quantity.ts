/** Kubernetes quantities: `250m`, `1.5`, `10Gi`, `1e3`. Undefined when the text is none. */

const factors: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

export function readQuantity(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string') return undefined
  const found = /^\s*([+-]?\d*\.?\d+(?:[eE][+-]?\d+)?)\s*([KMGTPE]i|[numkKMGTPE]?)[bB]?\s*$/.exec(value)
  if (!found) return undefined
  const suffix = found[2] === 'K' ? 'k' : found[2]!
  return Number(found[1]) * factors[suffix]!
}

const tidy = (value: number) => Math.round(value * 1e6) / 1e6

/** `1.5` is 1500, `250m` is 250. */
export function cpuAsMillicores(value: unknown): number {
  const read = readQuantity(value)
  return read === undefined ? 0 : Math.round(tidy(read * 1000))
}

export function memoryAsBytes(value: unknown): number {
  const read = readQuantity(value)
  return read === undefined ? 0 : Math.round(read)
}
