export interface TtlCache<Value> {
  /** The kept value, or what `load` answers. A value that was dropped while it loaded is given out but not kept. */
  get(key: string, now: number, load: () => Promise<Value | undefined>): Promise<Value | undefined>
  drop(key: string): void
  dropWhere(matches: (value: Value) => boolean): void
  clear(): void
}

/** A bounded cache of a few seconds whose revocations hold at once, also against loads that are under way. */
export function ttlCache<Value>(ttlMs: number, max: number): TtlCache<Value> {
  const kept = new Map<string, { value: Value; until: number }>()
  const loading = new Map<string, Promise<Value | undefined>>()
  let generation = 0

  const changed = () => {
    generation += 1
    loading.clear()
  }
  return {
    get(key, now, load) {
      const found = kept.get(key)
      if (found && found.until > now) return Promise.resolve(found.value)
      const running = loading.get(key)
      if (running) return running
      const started = generation
      const promise = load()
        .then((value) => {
          if (value !== undefined && started === generation) {
            kept.delete(key)
            kept.set(key, { value, until: now + ttlMs })
            if (kept.size > max) kept.delete(kept.keys().next().value as string)
          }
          return value
        })
        .finally(() => {
          if (loading.get(key) === promise) loading.delete(key)
        })
      loading.set(key, promise)
      return promise
    },
    drop(key) {
      changed()
      kept.delete(key)
    },
    dropWhere(matches) {
      changed()
      for (const [key, { value }] of kept) if (matches(value)) kept.delete(key)
    },
    clear() {
      changed()
      kept.clear()
    },
  }
}
