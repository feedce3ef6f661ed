export const durationChoices = ['100ms', '500ms', '1s', '5s', '10s', '30s'] as const
export const durationError = 'duration is allowed only in milli seconds & seconds'

export type ParsedDuration = { ok: true; ms: number | undefined } | { ok: false; message: string }

/** `250ms` or `2s` as milliseconds; empty and All clear the filter. */
export function parseDurationFilter(text: string): ParsedDuration {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.toLowerCase() === 'all') return { ok: true, ms: undefined }
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s)$/i.exec(trimmed)
  if (!match) return { ok: false, message: durationError }
  return { ok: true, ms: Number(match[1]) * (match[2]!.toLowerCase() === 's' ? 1000 : 1) }
}

export const statusChoices = ['All', 'Healthy', 'Unhealthy'] as const
export type StatusChoice = (typeof statusChoices)[number]

/** The value the history is filtered by: 1, 0, or nothing. */
export const statusFilter = (choice: StatusChoice): '1' | '0' | undefined =>
  choice === 'Healthy' ? '1' : choice === 'Unhealthy' ? '0' : undefined
