/** How figures and texts are shown. Every function takes what the API sends and gives what a person reads. */

const trim = (value: number, decimals: number) => String(Number(value.toFixed(decimals)))

/** Share of passed runs with two decimals; a failure is never rounded away to 100.00%. */
export function formatUptime({ passed, failed }: { passed: number; failed: number }): string {
  const runs = passed + failed
  if (!(runs > 0)) return '–'
  const percent = (passed / runs) * 100
  return `${(failed > 0 ? Math.min(percent, 99.99) : percent).toFixed(2)}%`
}

/** A percentage with one decimal; above 100 the multiple: 250 → 2.5x. */
export function formatPercent(percent: number): string {
  if (!Number.isFinite(percent)) return '–'
  return percent > 100 ? `${(percent / 100).toFixed(1)}x` : `${percent.toFixed(1)}%`
}

/** A measured time in one unit: 850ms, 1.5s, 2m, 3.2h. */
export function formatMillis(ms: number): string {
  if (!Number.isFinite(ms)) return '–'
  if (ms < 1000) return `${trim(ms, ms < 10 ? 2 : 0)}ms`
  if (ms < 60_000) return `${trim(ms / 1000, 2)}s`
  if (ms < 3_600_000) return `${trim(ms / 60_000, 1)}m`
  return `${trim(ms / 3_600_000, 1)}h`
}

/** A span in parts: 93784000 → 1d 2h 3m 4s; `most` keeps only the largest parts. */
export function formatSpan(ms: number, most = 4): string {
  if (!Number.isFinite(ms)) return '–'
  if (Math.abs(ms) < 1000) return `${Math.round(ms)}ms`
  let rest = Math.floor(Math.abs(ms) / 1000)
  const parts: string[] = []
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ] as const) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count}${unit}`)
  }
  return (ms < 0 ? '-' : '') + parts.slice(0, most).join(' ')
}

const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB']

/** A size in steps of 1024 as figure and unit, so that the unit can be set smaller. */
export function splitBytes(bytes: number): [figure: string, unit: string] {
  if (!Number.isFinite(bytes)) return ['–', '']
  let value = Math.abs(bytes)
  let step = 0
  while (value >= 1024 && step < byteUnits.length - 1) {
    value /= 1024
    step++
  }
  return [(bytes < 0 ? '-' : '') + trim(value, value < 10 && step > 0 ? 1 : 0), byteUnits[step]!]
}

export function formatBytes(bytes: number): string {
  return splitBytes(bytes).filter(Boolean).join(' ')
}

/** CPU in millicores: 250m; whole cores from 1000 up. */
export function formatMillicores(millicores: number): string {
  return millicores < 1000 ? `${Math.round(millicores)}m` : trim(millicores / 1000, 2)
}

/** Cuts long text and says so with an ellipsis; never splits a surrogate pair. */
export function truncate(text: string, max: number): string {
  const letters = [...text]
  return letters.length <= max ? text : `${letters.slice(0, Math.max(0, max - 1)).join('')}…`
}

/** Cuts in the middle, because the ends of resource names tell them apart. */
export function truncateMiddle(text: string, max: number): string {
  const letters = [...text]
  if (letters.length <= max) return text
  const head = Math.ceil((max - 1) / 2)
  const tail = Math.max(0, max - 1 - head)
  return `${letters.slice(0, head).join('')}…${tail ? letters.slice(-tail).join('') : ''}`
}

/** 1234 → 1k+; up to 999 the figure itself. */
export function formatCount(count: number): string {
  return count > 999 ? `${Math.floor(count / 1000)}k+` : String(count)
}

/** From here a count badge turns red. */
export const hotCount = 500

/** Any figure with thousands separated. */
export function formatNumber(value: number, decimals = 0): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: decimals })
}

/** A cost: cents below ten dollars, whole dollars above. */
export function formatCost(dollars: number): string {
  const decimals = Math.abs(dollars) < 10 ? 2 : 0
  return `${dollars < 0 ? '-' : ''}$${Math.abs(dollars).toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })}`
}

/** A currency value in little room: above 1000 as 1.2k, above 100 without decimals. */
export function formatCurrency(value: number): string {
  const amount = Math.abs(value)
  const text = amount > 1000 ? `${(amount / 1000).toFixed(1)}k` : amount > 100 ? amount.toFixed(0) : amount.toFixed(2)
  return `${value < 0 ? '-' : ''}$${text}`
}

export type UsageLevel = 'red' | 'orange' | 'green'

/** The colour of a usage bar by percent used. */
export function usageLevel(percent: number): UsageLevel {
  if (percent > 90) return 'red'
  return percent > 75 ? 'orange' : 'green'
}

/** Catalog and topology highlight a usage figure in red above this percent. */
export const usageHighlight = 70

/** "2 checks", "1 check". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}
