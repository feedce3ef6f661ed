import type { Role } from '@quarterdeck/contract/permissions'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { commandLine } from '../modules/people/act.ts'
import { addPerson } from '../modules/people/people.service.ts'
import { type Browser, browser } from './http.ts'

export const goodPassword = 'correct horse battery'

let count = 0

/** Somebody who can sign in with `goodPassword`. */
export async function aPerson(ctx: Context, roles: Role[] = [], email = `person-${++count}@example.test`) {
  const id = await addPerson(ctx, commandLine, {
    firstName: 'Pat',
    lastName: `Number ${count}`,
    email,
    roles,
    password: goodPassword,
  })
  return { id, email }
}

interface FlowBody {
  id: string
  state: string
  ui: {
    action: string
    messages?: { id: number; text: string; type: string }[]
    nodes: { group: string; attributes: Record<string, unknown>; messages: { id: number; text: string }[] }[]
  }
  return_to?: string
}

export const valueOf = (flow: FlowBody, name: string): unknown =>
  flow.ui?.nodes.find(({ attributes }) => attributes.name === name)?.attributes.value

/** Starts a flow and gives what a client needs to go on. */
export async function startedFlow(visitor: Browser, kind: string, query = '') {
  const answer = await visitor.send({ url: `/api/.ory/self-service/${kind}/browser${query}` })
  const flow = answer.json<FlowBody>()
  return { answer, flow, csrf: String(valueOf(flow, 'csrf_token')) }
}

/** A browser that is signed in. */
export async function signedInAs(app: FastifyInstance, email: string, password = goodPassword): Promise<Browser> {
  const visitor = browser(app)
  const { flow, csrf } = await startedFlow(visitor, 'login')
  const answer = await visitor.send({
    method: 'POST',
    url: `/api/.ory/self-service/login?flow=${flow.id}`,
    payload: { method: 'password', csrf_token: csrf, identifier: email, password },
  })
  if (answer.statusCode !== 200) throw new Error(`sign-in failed: ${answer.body}`)
  return visitor
}
