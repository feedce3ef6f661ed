import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ExecCheck } from '@quarterdeck/contract/checks/exec'
import type { CheckRun } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { resolveText, targetOf } from './credentials.ts'
import { runGit } from '../../../platform/clients/git.ts'

/** Clones the repository into the run's own folder and gives back where. */
export async function checkOut(
  run: CheckRun,
  spec: NonNullable<ExecCheck['checkout']>,
  folder: string,
): Promise<string> {
  const target = await targetOf(run, spec)
  if (!target.url) throw new InvalidCheck('checkout has no url')
  const name = spec.destination ?? createHash('sha256').update(target.url).digest('hex')
  const destination = resolve(folder, name)
  if (!destination.startsWith(`${folder}/`))
    throw new InvalidCheck(`checkout.destination "${name}" leads out of the run's folder`)
  const key = (await resolveText(run, spec.certificate)) ?? target.certificate
  let keyFile: string | undefined
  if (key) {
    keyFile = join(folder, '.checkout-key')
    await writeFile(keyFile, key.endsWith('\n') ? key : `${key}\n`, { mode: 0o600 })
  }
  const ref = target.properties.ref
  const args = ['clone', '--quiet', '--depth', '1', ...(ref ? ['--branch', ref] : []), '--', target.url, destination]
  await runGit(run, args, { ...target, keyFile })
  return destination
}
