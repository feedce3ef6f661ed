import type { Logger } from 'pino'

export interface Shutdown {
  /** Registers what must be undone at the end; last registered, first undone. */
  onStop(name: string, undo: () => Promise<void>): void
  stop(reason: string, code?: number): Promise<void>
}

const limit = 20_000

/** Ctrl-C, a kill, a closed terminal or the death of npm stop everything in order; a second signal stops at once. */
export function shutdown(log: Logger): Shutdown {
  const steps: { name: string; undo: () => Promise<void> }[] = []
  let stopping: Promise<void> | undefined

  const stop = (reason: string, code = 0) => {
    stopping ??= (async () => {
      log.info({ reason }, 'stopping')
      setTimeout(() => process.exit(code || 1), limit).unref()
      for (const { name, undo } of steps.toReversed()) {
        await undo().catch((error: unknown) => log.error({ err: error, part: name }, 'could not stop cleanly'))
      }
      log.info('stopped')
      process.exit(code)
    })()
    return stopping
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(130)
      void stop(signal)
    })
  }
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected failure')
    void stop('unexpected failure', 1)
  })
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a failure nobody handled'))
  return { onStop: (name, undo) => void steps.push({ name, undo }), stop }
}
