import { createHmac, randomInt } from 'node:crypto'
import { sameText } from '../csrf.ts'
import { lockFlow, updateFlow } from '../identity.sql.ts'
import type { FlowCall, FlowRecord, FlowState } from './flow.ts'

const tries = 5
export const codeMinutes = 15

export const newCode = (): string => String(randomInt(100_000_000)).padStart(8, '0')

const digestOf = (flowId: string, code: string) => createHmac('sha256', flowId).update(code).digest('base64url')

/** What a flow keeps of a code that was mailed: never the code itself. */
export const codeSecret = (flowId: string, code: string, now: Date) => ({
  tries: 0,
  digest: digestOf(flowId, code),
  until: now.getTime() + codeMinutes * 60_000,
})

export type CodeVerdict = 'right' | 'wrong' | 'too-often'

/** Counts before comparing, under the row's lock, so that codes tried at once are counted too. */
export async function tryCode({ ctx }: FlowCall, flow: FlowRecord, typed: string): Promise<CodeVerdict> {
  const { state, tried } = await ctx.db.tx(async (sql) => {
    const state = (await lockFlow<FlowState>(sql, flow.type, flow.id))?.state ?? flow.state
    const tried = Number(state.secret?.tries ?? tries) + 1
    const next: FlowState =
      tried > tries
        ? { ...state, step: 'choose_method', secret: {} }
        : { ...state, secret: { ...state.secret, tries: tried } }
    await updateFlow(sql, flow.id, next)
    return { state: next, tried }
  })
  flow.state = { ...state, messages: [], fields: {} }
  if (tried > tries) return 'too-often'
  const { until, digest } = state.secret ?? {}
  const isLate = Number(until) < ctx.clock.now().getTime()
  return !isLate && sameText(digestOf(flow.id, typed.replace(/\s/g, '')), String(digest)) ? 'right' : 'wrong'
}
