import { type ClientRun, InvalidTarget } from './run.ts'
import { dialerOf } from '../network/dialer.ts'
import { runProgram } from './program.ts'

export interface GitAccess {
  url?: string
  username?: string
  password?: string
  keyFile?: string
  cwd?: string
}

// The password travels in the environment of one process, never on a command line that others can list.
const helper = '!f() { test "$1" = get && echo "username=$GIT_USER" && echo "password=$GIT_PASSWORD"; }; f'

/** Runs git without prompts, without the machine's configuration and without transports that run programs. */
export async function runGit(run: ClientRun, args: readonly string[], access: GitAccess): Promise<string> {
  if (access.url) await checkRemote(run, access.url)
  const env: Record<string, string> = {
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ALLOW_PROTOCOL: 'http:https:ssh:git:file',
    GIT_AUTHOR_NAME: 'Quarterdeck',
    GIT_AUTHOR_EMAIL: 'checks@quarterdeck.local',
    GIT_COMMITTER_NAME: 'Quarterdeck',
    GIT_COMMITTER_EMAIL: 'checks@quarterdeck.local',
    GIT_SSH_COMMAND: `ssh -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o ConnectTimeout=10${access.keyFile ? ` -i ${access.keyFile} -o IdentitiesOnly=yes` : ''}`,
  }
  const options = ['-c', 'http.lowSpeedLimit=1', '-c', 'http.lowSpeedTime=20']
  if (access.username !== undefined || access.password !== undefined) {
    env.GIT_USER = access.username ?? 'git'
    env.GIT_PASSWORD = access.password ?? ''
    options.push('-c', 'credential.helper=', '-c', `credential.helper=${helper}`)
  }
  const done = await runProgram('git', [...options, ...args], { cwd: access.cwd, env, signal: run.signal })
  if (done.code !== 0) {
    const verb = args.find((arg) => !arg.startsWith('-'))
    throw new Error(
      `git ${verb} failed: ${(done.stderr || done.stdout).trim().slice(0, 2000) || `exit code ${done.code}`}`,
    )
  }
  return done.stdout
}

/** git dials by itself; the host it will dial is held against the network policy first. */
async function checkRemote(run: ClientRun, remote: string): Promise<void> {
  if (remote.startsWith('-')) throw new InvalidTarget('the address of the repository begins with a dash')
  const host =
    /^[a-z+]+:\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/]+)/i.exec(remote)?.[1] ?? /^[^@/\s]+@([^:/]+):/.exec(remote)?.[1]
  if (!host) return
  const dialer = dialerOf(run.ctx)
  dialer.check(host)
  await new Promise<void>((resolve, reject) =>
    dialer.lookup(host.replace(/^\[|\]$/g, ''), { all: false }, (error) => (error ? reject(error) : resolve())),
  )
}
