import pino, { type DestinationStream, type Logger } from 'pino'

const hidden = [
  'password',
  'token',
  'secret',
  'authorization',
  'cookie',
  'certificate',
  'credential',
  'privateKey',
  'private_key',
]

/** Where a secret could slip into a log line, at the top or one level down. */
const redact = {
  paths: hidden.flatMap((name) => [name, `*.${name}`, `req.headers.${name}`]),
  censor: '[hidden]',
}

/** Database errors carry their client, and with it half the process; a log line needs what happened and where. */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  const { code } = error as { code?: unknown }
  return {
    type: name,
    message,
    stack,
    ...(code !== undefined && { code }),
    ...(cause !== undefined && { cause: errorFacts(cause) }),
  }
}

/** Structured lines on standard error; one readable line each when a person watches. */
export function createLog(level: string): Logger {
  const watched = process.stderr.isTTY
  const destination = watched ? readable(process.stderr) : pino.destination({ fd: 2, sync: true })
  return pino(
    {
      level,
      base: undefined,
      redact,
      serializers: { err: errorFacts },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  )
}

const marks: Record<string, string> = { trace: '·', debug: '·', info: ' ', warn: '!', error: '✗', fatal: '✗' }

function readable(out: NodeJS.WritableStream): DestinationStream {
  return {
    write(line: string) {
      out.write(`${oneLine(line)}\n`)
    },
  }
}

/** `12:03:04 ! words  key=value …`, and the stack of an error below it. */
export function oneLine(line: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown> & {
    err?: { message?: string; stack?: string }
  }
  const clock = String(time ?? '').slice(11, 19)
  const facts = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
  )
  const words = [clock, marks[String(level)] ?? ' ', msg, ...facts].filter((part) => part !== undefined && part !== '')
  const detail = err?.stack ?? err?.message
  return words.join(' ') + (detail ? `\n${detail}` : '')
}
