import type { Logger } from 'pino'

export interface Shutdown {
  /** Registers what must be undone at the end; last registered, first undone. */
  onStop(name: string, undo: () => Promise<void>): void
  /** Undoes everything; the process goes on, to say what went wrong. */
  undo(): Promise<void>
  /** Resolves never once a stop has begun: what fails then fails because of it. */
  unlessStopping(): Promise<void>
}

const limit = 20_000

/** Ctrl-C, a kill, a closed terminal or the death of npm stop everything in order; a second signal stops at once. */
export function shutdown(log: Logger): Shutdown {
  const steps: { name: string; undo: () => Promise<void> }[] = []
  let stopping: Promise<void> | undefined
  let since = 0

  const undo = async () => {
    for (let step = steps.pop(); step; step = steps.pop()) {
      const part = step.name
      log.debug({ part }, 'stopping a part')
      await step.undo().catch((error: unknown) => log.error({ err: error, part }, 'could not stop cleanly'))
    }
  }
  const stop = (reason: string, code = 0) => {
    stopping ??= (async () => {
      since = Date.now()
      log.info({ reason }, 'stopping')
      setTimeout(() => process.exit(code || 1), limit).unref()
      await undo()
      log.info('stopped')
      process.exit(code)
    })()
    return stopping
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // One Ctrl-C may arrive twice, from the terminal and from npm.
      if (stopping && Date.now() - since > 500) process.exit(130)
      void stop(signal)
    })
  }
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected failure')
    void stop('unexpected failure', 1)
  })
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a failure nobody handled'))
  return {
    onStop: (name, step) => void steps.push({ name, undo: step }),
    undo,
    unlessStopping: async () => stopping,
  }
}
