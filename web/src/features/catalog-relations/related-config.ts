/** A catalog item near another one, with the items it points to. */
export interface RelatedConfig {
  id: string
  name: string
  type: string
  related_ids: readonly string[] | null
  tags: Record<string, string> | null
  changes: readonly { change_type: string; severity: string | null; total: number }[] | null
  analysis: readonly { analyzer: string; analysis_type: string | null; severity: string | null }[] | null
  cost_total_30d: number | null
  created_at: string | null
  updated_at: string | null
  health: string | null
  status: string | null
  /** Known once the details of the items were read. */
  labels?: Record<string, string> | null
  deleted_at?: string | null
}

/** Towards what it points to, or towards what points to it. */
export type Side = 'outgoing' | 'incoming'

/** Where an item stands seen from the item in the middle. */
export interface Standing {
  side: Side | 'self'
  /** Steps away; 0 for the item itself. */
  distance: number
  /** The items between are hidden by a filter. */
  isLoose?: boolean
}
