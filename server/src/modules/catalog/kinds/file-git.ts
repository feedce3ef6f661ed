import { rm, writeFile } from 'node:fs/promises'
import { runGit } from '../../../platform/clients/git.ts'
import type { ResolvedConnection } from '../../../platform/resolve/connections.ts'
import { InvalidScraper, type ScrapeRun } from './kind.ts'

export interface GitAddress {
  remote: string
  /** Below the repository's root; empty for all of it. */
  folder: string
  ref?: string
  /** For people: without user and password. */
  shown: string
}

/** Reads `git::https://host/repo.git//folder?ref=branch` and the shorter ways of saying it; undefined when it is no git address. */
export function gitAddress(url: string, connectionType = ''): GitAddress | undefined {
  const isForced = url.startsWith('git::')
  const text = isForced ? url.slice('git::'.length) : url
  const isGit =
    isForced ||
    /^(git|ssh):\/\//.test(text) ||
    /^[\w.-]+@[\w.-]+:/.test(text) ||
    /\.git(\/\/|\?|$)/.test(text) ||
    /^(git|github|gitlab)$/.test(connectionType) ||
    text.startsWith('github.com/')
  if (!isGit || text === '') return undefined
  const [address = '', query = ''] = text.split('?', 2)
  const params = new URLSearchParams(query)
  const scheme = /^[a-z+]+:\/\//i.exec(address)?.[0] ?? ''
  const [path = '', ...below] = address.slice(scheme.length).split('//')
  const folder = below.join('/')
  if (folder.split('/').includes('..'))
    throw new InvalidScraper('the folder in the git address leads out of the repository')
  const remote = `${address.startsWith('github.com/') ? 'https://' : scheme}${path}`
  return { remote, folder, ref: params.get('ref') ?? undefined, shown: remote.replace(/\/\/[^@/]*@/, '//') }
}

/** The newest state of a branch, tag or commit, without its history. */
export async function cloneFor(
  run: ScrapeRun,
  git: GitAddress,
  target: ResolvedConnection,
  folder: string,
): Promise<void> {
  const key = target.certificate
  let keyFile: string | undefined
  if (key) {
    keyFile = `${folder}.key`
    await writeFile(keyFile, key.endsWith('\n') ? key : `${key}\n`, { mode: 0o600 })
  }
  const ref = git.ref ?? (target.properties.ref || undefined)
  if (ref?.startsWith('-')) throw new InvalidScraper('a branch does not begin with a dash')
  const access = {
    url: git.remote,
    username: target.username || undefined,
    password: target.password || undefined,
    keyFile,
    cwd: folder,
  }
  try {
    await runGit(run, ['init', '--quiet', '.'], { cwd: folder })
    await runGit(run, ['fetch', '--quiet', '--depth', '1', '--', git.remote, ref ?? 'HEAD'], access)
    await runGit(run, ['checkout', '--quiet', 'FETCH_HEAD'], { cwd: folder })
  } finally {
    if (keyFile) await rm(keyFile, { force: true })
  }
}
