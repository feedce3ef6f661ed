export const summarySeverities = ['Critical', 'High', 'Medium', 'Low', 'Info'] as const
export type SummarySeverity = (typeof summarySeverities)[number]

const belongsTo: Record<string, SummarySeverity> = {
  critical: 'Critical',
  blocker: 'Critical',
  high: 'High',
  medium: 'Medium',
  // Summaries have no room for shades below medium: low counts there, so the Low entry stays empty and is not drawn.
  low: 'Medium',
  warning: 'Medium',
  info: 'Info',
}

/** Counts by severity as summaries show them, worst first, without empty entries. */
export function summarizeSeverities(counts: Record<string, number>): { severity: SummarySeverity; count: number }[] {
  const sums = new Map<SummarySeverity, number>()
  for (const [name, count] of Object.entries(counts)) {
    const severity = belongsTo[name.toLowerCase()]
    if (severity) sums.set(severity, (sums.get(severity) ?? 0) + count)
  }
  return summarySeverities.map((severity) => ({ severity, count: sums.get(severity) ?? 0 })).filter((s) => s.count > 0)
}
