/** What a scrape did, per config type, as job history shows it. */
export interface TypeSummary {
  added: number
  updated: number
  unchanged: number
  change?: { orphaned?: Record<string, number>; ignored?: Record<string, number> }
}

export class ScrapeSummary {
  readonly types: Record<string, TypeSummary> = {}
  changes = 0
  findings = 0
  relationships = 0
  deleted = 0

  count(type: string, what: 'added' | 'updated' | 'unchanged', by = 1): void {
    this.of(type)[what] += by
  }

  leftOut(type: string | undefined, why: 'orphaned' | 'ignored', changeType: string): void {
    const change = (this.of(type || 'None').change ??= {})
    const counts = (change[why] ??= {})
    counts[changeType] = (counts[changeType] ?? 0) + 1
  }

  /** Items seen, whatever became of them. */
  get items(): number {
    return Object.values(this.types).reduce(
      (sum, { added, updated, unchanged }) => sum + added + updated + unchanged,
      0,
    )
  }

  private of(type: string): TypeSummary {
    return (this.types[type] ??= { added: 0, updated: 0, unchanged: 0 })
  }
}
