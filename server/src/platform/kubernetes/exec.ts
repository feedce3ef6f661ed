import { WebSocket } from 'undici'
import { type Cluster, KubernetesError } from './client.ts'
import { record, records, word } from './object.ts'

export interface ExecOptions {
  namespace: string
  pod: string
  container?: string
  command: readonly string[]
  signal: AbortSignal
  maxBytes: number
}

export interface ExecResult {
  stdout: Buffer
  stderr: string
  exitCode: number
}

const [stdoutChannel, stderrChannel, errorChannel] = [1, 2, 3]

/** Runs a program in a container of a pod and gives what it printed. */
export async function execInPod(cluster: Cluster, options: ExecOptions): Promise<ExecResult> {
  const { namespace, pod, container, command, signal, maxBytes } = options
  signal.throwIfAborted()
  const query = new URLSearchParams({ stdout: 'true', stderr: 'true', ...(container ? { container } : {}) })
  for (const part of command) query.append('command', part)
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/exec`
  const { url, dispatcher, headers } = await cluster.line(`${path}?${query.toString()}`)
  const socket = new WebSocket(url, { protocols: ['v4.channel.k8s.io'], dispatcher, headers })
  socket.binaryType = 'arraybuffer'
  const outputs: Record<number, Buffer[]> = { [stdoutChannel!]: [], [stderrChannel!]: [], [errorChannel!]: [] }
  let size = 0
  return new Promise((resolve, reject) => {
    const stop = () => fail(signal.reason as Error)
    const fail = (error: Error) => {
      signal.removeEventListener('abort', stop)
      reject(error)
      socket.close()
    }
    signal.addEventListener('abort', stop, { once: true })
    socket.addEventListener('message', ({ data }) => {
      const bytes = Buffer.from(data as ArrayBuffer)
      const [channel = 0] = bytes
      size += bytes.length
      if (size > maxBytes) return fail(new Error(`more than ${maxBytes} bytes came from the pod ${pod}`))
      outputs[channel]?.push(bytes.subarray(1))
    })
    // The reason is not told to whoever opens a line; most often the pod may not be entered.
    socket.addEventListener('error', () =>
      fail(new KubernetesError(`the pod ${namespace}/${pod} cannot be entered`, 403)),
    )
    socket.addEventListener('close', () => {
      signal.removeEventListener('abort', stop)
      const text = (channel: number) => Buffer.concat(outputs[channel]!).toString('utf8')
      const status = text(errorChannel!)
      if (status === '') return reject(new Error(`the line to the pod ${pod} broke before its program ended`))
      const exitCode = exitCodeOf(status)
      if (typeof exitCode === 'string') return reject(new KubernetesError(exitCode, 500))
      resolve({ stdout: Buffer.concat(outputs[stdoutChannel!]!), stderr: text(stderrChannel!), exitCode })
    })
  })
}

/** The number a program ended with, or why it could not be started. */
function exitCodeOf(text: string): number | string {
  let status: Record<string, unknown>
  try {
    status = record(JSON.parse(text))
  } catch {
    return text.slice(0, 500)
  }
  if (status.status === 'Success') return 0
  const code = records(record(status.details).causes).find(({ reason }) => reason === 'ExitCode')?.message
  return code === undefined ? word(status.message) || 'the program could not be started' : Number(code)
}
