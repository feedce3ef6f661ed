import { alertmanager } from './alertmanager.ts'
import { elasticsearch } from './elasticsearch.ts'
import { exec } from './exec.ts'
import { folder } from './folder.ts'
import { http } from './http.ts'
import { icmp } from './icmp.ts'
import type { CheckKind } from './kind.ts'
import { mongodb } from './mongodb.ts'
import { rawKinds } from './raw.ts'
import { redis } from './redis.ts'
import { tcp } from './tcp.ts'

export type { CheckKind }

const formKinds = [http, exec, alertmanager, elasticsearch, redis, mongodb, icmp, folder, tcp]

/** Every kind that can be added, by label. */
export const kinds: readonly CheckKind[] = [...formKinds, ...rawKinds].toSorted((one, two) =>
  one.label.localeCompare(two.label, 'en'),
)
