import type { Slot } from './syntax.ts'

/** The values of a request, apart from its shape: equal shapes share one statement, whatever the values are. */
export class Values {
  readonly list: unknown[] = []

  add(value: unknown): Slot {
    return this.list.push(value) - 1
  }
}
