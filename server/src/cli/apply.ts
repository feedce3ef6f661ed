import { applyCommand } from '../modules/resources/apply-command.ts'
import { type Command, UsageError } from './command.ts'
import { print, tell } from './output.ts'
import { withContext } from './with-context.ts'

export const apply: Command = {
  name: 'apply',
  summary: 'Load documents (canaries, scrapers, topologies, playbooks, ...) from files.',
  usage: ['apply -f FILE|FOLDER [-f ...] [--dry-run] [--adopt] [--prune]'],
  about:
    'Documents are YAML or JSON, one or many per file. What is applied this way carries its file as its source and is\n' +
    'read-only in the console; apply the changed file again to change it. Each document succeeds or fails by itself.',
  options: {
    file: {
      type: 'string',
      short: 'f',
      multiple: true,
      value: 'PATH',
      meaning: 'a file, or a folder with everything below it; may be given more than once',
    },
    'dry-run': { type: 'boolean', meaning: 'check everything and say what would happen, write nothing' },
    adopt: { type: 'boolean', meaning: 'take over what people made in the console under the same name' },
    prune: {
      type: 'boolean',
      meaning: 'remove what an earlier apply of these paths made and the files no longer hold',
    },
  },
  examples: [
    'quarterdeck apply -f canaries.yaml',
    'quarterdeck apply -f ./deploy --dry-run',
    'quarterdeck apply -f ./deploy --prune',
  ],
  async run({ values, positionals }) {
    const paths = values.file as string[] | undefined
    if (!paths || paths.includes('') || positionals.length > 0)
      throw new UsageError('Say which files: quarterdeck apply -f FILE|FOLDER.')
    const request = {
      paths,
      dryRun: values['dry-run'] === true,
      adopt: values.adopt === true,
      prune: values.prune === true,
    }
    process.exitCode = await withContext((ctx) => applyCommand(ctx, request, print, tell))
  },
}
