import type { CheckKind } from '../kind.ts'
import { dns } from './dns.ts'
import { exec } from './exec.ts'
import { http } from './http.ts'
import { icmp } from './icmp.ts'
import { tcp } from './tcp.ts'

/** Every kind that runs. A new kind is a file here, its schema in the contract, and a line below. */
export const checkKinds = [dns, exec, http, icmp, tcp] as unknown as CheckKind[]
