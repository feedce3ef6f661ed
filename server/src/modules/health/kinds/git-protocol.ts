import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { GitProtocolCheck } from '@quarterdeck/contract/checks/git-protocol'
import type { CheckKind } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { fillIn, targetOf } from './credentials.ts'
import { runGit } from '../../../platform/clients/git.ts'

/** Clones, writes, commits and pushes: the whole way a change takes. */
export const gitProtocol: CheckKind<GitProtocolCheck> = {
  key: 'gitProtocol',
  schema: GitProtocolCheck,
  templatable: true,
  concurrency: 5,
  isHeavy: true,
  endpoint: (spec) => spec.repository.replaceAll(/[/:]+/g, '-'),
  timeoutMs: () => 120_000,
  async run(run, spec) {
    const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-git-'))
    try {
      const target = await targetOf(run, { ...spec, url: await fillIn(run, spec.repository) })
      const clone = join(folder, 'clone')
      const file = resolve(clone, spec.filename)
      if (!file.startsWith(`${clone}/`) || file.startsWith(join(clone, '.git/')))
        throw new InvalidCheck(`filename "${spec.filename}" leads out of the repository`)
      await runGit(run, ['clone', '--quiet', '--depth', '1', '--', target.url!, clone], target)
      await writeFile(file, `checked at ${new Date().toISOString()}\n`)
      const inside = { ...target, cwd: clone }
      await runGit(run, ['add', '--', file], { cwd: clone })
      await runGit(run, ['commit', '--quiet', '--message', 'Check that changes can be pushed'], { cwd: clone })
      await runGit(run, ['push', '--quiet', 'origin', 'HEAD'], inside)
      return { pass: true }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
