/** Tells open consoles which families of data are stale. Messages carry names and ids, never data. */
export interface LiveMessage {
  /** Relation that changed, for example `checks`. */
  relation: string
  /** Rows that changed; empty means any. */
  ids: string[]
}

export interface Live {
  /** Calls back for every change from now on, or from `after` (the id of the last message seen). Returns the unsubscribe. */
  subscribe(listener: (id: number, message: LiveMessage) => void, after?: number): () => void
  close(): Promise<void>
}
