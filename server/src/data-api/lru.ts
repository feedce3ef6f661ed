/** Keeps the most recently used entries, up to a bound. */
export class Lru<V> {
  private readonly entries = new Map<string, V>()

  constructor(
    private readonly bound: number,
    private readonly evicted: (value: V) => void = () => {},
  ) {}

  get(key: string): V | undefined {
    const value = this.entries.get(key)
    if (value !== undefined) {
      this.entries.delete(key)
      this.entries.set(key, value)
    }
    return value
  }

  set(key: string, value: V) {
    this.entries.delete(key)
    this.entries.set(key, value)
    if (this.entries.size <= this.bound) return
    const [oldest, gone] = this.entries.entries().next().value!
    this.entries.delete(oldest)
    this.evicted(gone)
  }

  get size(): number {
    return this.entries.size
  }

  clear() {
    this.entries.clear()
  }
}
