import { MongodbCheck } from '@quarterdeck/contract/checks/mongodb'
import { pingMongo } from '../../../platform/clients/mongodb.ts'
import type { CheckKind } from '../kind.ts'
import { fillIn, targetOf } from './credentials.ts'

export { hostsOf } from '../../../platform/clients/mongodb.ts'

export const mongodb: CheckKind<MongodbCheck> = {
  key: 'mongodb',
  schema: MongodbCheck,
  templatable: false,
  endpoint: (spec) => spec.url ?? spec.connection ?? '',
  timeoutMs: () => 5_000,
  async run(run, spec) {
    const target = await targetOf(run, spec)
    const url = await fillIn(run, target.url ?? '', { username: target.username, password: target.password })
    await pingMongo(run, { ...target, url })
    return { pass: true }
  },
}
