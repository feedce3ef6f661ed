import type { Param } from '../plan/model.ts'

export const ident = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Collects the parameters of one statement. Values never become text of it. */
export class SqlWriter {
  readonly params: Param[] = []
  private readonly places = new Map<string, string>()

  /** The placeholder of a parameter; the same one when it was asked for before. */
  param(param: Param): string {
    const key = JSON.stringify(param)
    const known = this.places.get(key)
    if (known) return known
    const place = `$${this.params.push(param)}`
    this.places.set(key, place)
    return place
  }
}

/** A statement ready to run: its text, and where each $n gets its value. */
export interface Statement {
  text: string
  params: Param[]
}
