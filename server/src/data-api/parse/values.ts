import { tooComplex } from '../errors.ts'
import type { Slot } from './syntax.ts'

/** The values of a request, apart from its shape: equal shapes share one statement, whatever the values are. */
export class Values {
  readonly list: unknown[] = []

  constructor(private conditionsLeft: number) {}

  add(value: unknown): Slot {
    return this.list.push(value) - 1
  }

  /** Counts a condition; a request may have so many and no more. */
  condition() {
    if (this.conditionsLeft-- <= 0) throw tooComplex('too many conditions in one request')
  }
}
