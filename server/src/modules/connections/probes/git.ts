import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runGit } from '../../../platform/clients/git.ts'
import { need, type Probe } from './probe.ts'

/** Asks for one branch or tag: what a clone would begin with, without its weight. */
export const git: Probe = async (run, target) => {
  const url = need(target.url, 'the address of the repository')
  const ref = target.properties.ref || 'HEAD'
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-git-'))
  try {
    let keyFile: string | undefined
    if (target.certificate) {
      keyFile = join(folder, 'key')
      await writeFile(keyFile, `${target.certificate.trimEnd()}\n`, { mode: 0o600 })
    }
    const { username, password } = target
    const found = await runGit(run, ['ls-remote', '--', url, ref], { url, username, password, keyFile, cwd: folder })
    if (found.trim() === '') throw new Error(`the repository has no branch or tag ${ref}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
