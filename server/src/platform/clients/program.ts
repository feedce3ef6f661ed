import { spawn } from 'node:child_process'
import { InvalidTarget } from './run.ts'

/** Kept of each output unless told otherwise; the program goes on, the rest is thrown away. */
const usualOutput = 1024 * 1024

export interface ProgramResult {
  code: number
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface ProgramOptions {
  cwd?: string
  /** Beside PATH, HOME and LANG; nothing else of the server's environment is seen. */
  env?: Record<string, string>
  signal: AbortSignal
  input?: string
  /** Bytes kept of each output. */
  maxOutput?: number
}

/** Runs a program in a process group of its own, which ends with it: whatever it started is ended too. */
export function runProgram(program: string, args: readonly string[], options: ProgramOptions): Promise<ProgramResult> {
  const { cwd, env, signal, input, maxOutput = usualOutput } = options
  signal.throwIfAborted()
  return new Promise((done, fail) => {
    const child = spawn(program, args, {
      cwd,
      detached: process.platform !== 'win32',
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      env: { ...base(), ...env },
    })
    const end = () => killGroup(child.pid)
    signal.addEventListener('abort', end, { once: true })
    const stdout = bounded(child.stdout!, maxOutput)
    const stderr = bounded(child.stderr!, maxOutput)
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
    child.once('error', (error: NodeJS.ErrnoException) => {
      signal.removeEventListener('abort', end)
      fail(
        error.code === 'ENOENT' ? new InvalidTarget(`the program ${program} is not installed${hint(program)}`) : error,
      )
    })
    // Children left behind hold the pipes open: the group is ended after its leader, and those that left the group are
    // cut off from our pipes.
    const timers: NodeJS.Timeout[] = []
    const cutOff = () => [child.stdout, child.stderr].forEach((stream) => stream?.destroy())
    child.once('exit', () => timers.push(setTimeout(end, 100), setTimeout(cutOff, 1000)))
    child.once('close', (code, by) => {
      timers.forEach(clearTimeout)
      // Nobody reads what a child in the background writes now.
      end()
      signal.removeEventListener('abort', end)
      if (signal.aborted) fail(signal.reason as Error)
      else done({ code: code ?? 128, signal: by, stdout: stdout(), stderr: stderr() })
    })
  })
}

const hint = (program: string): string => (program === 'ping' ? ' (package iputils-ping)' : '')

function base(): Record<string, string> {
  // The environment of the server holds its secrets; programs need these to be found and to speak plainly.
  // oxlint-disable-next-line node/no-process-env
  const { PATH = '/usr/local/bin:/usr/bin:/bin', LANG = 'C.UTF-8', HOME = '/tmp', SystemRoot } = process.env
  return { PATH, LANG, HOME, ...(SystemRoot ? { SystemRoot } : {}) }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}

function bounded(stream: NodeJS.ReadableStream, maxOutput: number): () => string {
  const chunks: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    if (size < maxOutput) chunks.push(chunk)
    size += chunk.length
  })
  return () => {
    const text = Buffer.concat(chunks).subarray(0, maxOutput).toString('utf8')
    return size > maxOutput ? `${text}\n… ${size - maxOutput} more bytes` : text
  }
}
