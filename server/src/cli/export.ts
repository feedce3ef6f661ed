import { exportCommand } from '../modules/resources/export-command.ts'
import type { Command } from './command.ts'
import { print } from './output.ts'
import { withContext } from './with-context.ts'

export const exportDocuments: Command = {
  name: 'export',
  summary: 'Write the documents of this server to standard output or to files.',
  usage: ['export [KIND...] [--kind KIND] [--output FOLDER]'],
  about:
    'What comes out can be applied again. Secrets are sealed with the key of this server: only a server with the same\n' +
    'key file can read them.',
  options: {
    kind: { type: 'string', multiple: true, value: 'KIND', meaning: 'only this kind; may be given more than once' },
    output: { type: 'string', short: 'o', value: 'FOLDER', meaning: 'one file per document in this folder' },
  },
  examples: ['quarterdeck export > everything.yaml', 'quarterdeck export canary playbook --output ./documents'],
  async run({ values, positionals }) {
    const kinds = [...positionals, ...((values.kind as string[] | undefined) ?? [])]
    const folder = typeof values.output === 'string' ? values.output : undefined
    process.exitCode = await withContext((ctx) => exportCommand(ctx, { kinds, folder }, print))
  },
}
