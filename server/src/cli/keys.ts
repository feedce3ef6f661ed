import { keyFileOf } from '../boot.ts'
import { rotateKeys } from '../platform/secrets/rotation.ts'
import { type Command, refuseWords, UsageError } from './command.ts'
import { tell } from './output.ts'
import { withContext } from './with-context.ts'

export const keys: Command = {
  name: 'keys',
  summary: 'Renew the key that encrypts secrets at rest.',
  usage: ['keys rotate'],
  about:
    'Makes a new key, encrypts every stored secret anew and keeps the previous key until the next rotation. The product\n' +
    'may run meanwhile. Keep a copy of the key file: without it the secrets cannot be read.',
  examples: ['quarterdeck keys rotate'],
  async run({ positionals }) {
    if (positionals[0] !== 'rotate') throw new UsageError('Say what to do: quarterdeck keys rotate.')
    refuseWords('keys rotate', positionals.slice(1))
    await withContext(async (ctx) => {
      const file = keyFileOf(ctx.config)
      const { keyId, rows, retired } = await rotateKeys(ctx.db, file, (done) => tell(`Encrypted ${done} values anew …`))
      tell(`Key ${keyId} encrypts from now on; ${rows} stored values were encrypted anew.`)
      if (retired.length > 0) tell(`Taken out of the file, because nothing uses them: ${retired.join(', ')}.`)
      tell(`Keep a copy of ${file}.`)
    })
  },
}
