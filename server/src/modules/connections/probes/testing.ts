import { columnsOf, valuesOf } from '@quarterdeck/contract/connections/form'
import { connectionKind } from '@quarterdeck/contract/connections/index'
import type { ConnectionColumns, Values } from '@quarterdeck/contract/connections/kind'
import { readConfig } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { hydrateConnection } from '../../../platform/resolve/connections.ts'
import { Scrubber } from '../../../platform/resolve/scrubber.ts'
import { scrubbed, tryConnection } from '../test.service.ts'

export interface Trial {
  /** Columns beside what the form of the type gives. */
  more?: Partial<ConnectionColumns>
  settings?: Record<string, string>
}

/** Fills in the form of a type, opens what it would store, and tries it: `ok`, or the reason why not. */
export async function tried(type: string, values: Values, { more = {}, settings = {} }: Trial = {}): Promise<string> {
  const kind = connectionKind(type)!
  const ctx = {
    config: readConfig(settings),
    clock: { now: () => new Date() },
    secrets: { isEncrypted: () => false },
  } as unknown as Context
  const columns = { ...columnsOf(kind, { ...valuesOf(kind), ...values }), ...more }
  const scrubber = new Scrubber()
  try {
    const row = { id: 'x', name: 'x', namespace: 'default', type, ...columns }
    const opened = await hydrateConnection(ctx, row, { secrets: { add: (secret) => scrubber.add(secret) } })
    await tryConnection(ctx, opened, scrubber)
    return 'ok'
  } catch (error) {
    return scrubbed(scrubber, error)
  }
}
