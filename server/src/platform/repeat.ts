export interface RepeatHandle {
  /** Work again now, or once more after the round that runs. */
  wake(): void
  /** Ends after the round that runs. */
  stop(): Promise<void>
}

export interface RepeatOptions {
  pollMs: number
  onError(error: unknown): void
  /** Pause after a failure. */
  retryMs?: number
}

/** Repeats `round` while it says that there was work (true), then sleeps until woken or until the poll. Starts at once. */
export function repeatWhenWoken(round: () => Promise<boolean | void>, options: RepeatOptions): RepeatHandle {
  let stopped = false
  let woken = false
  let wakeUp: () => void = () => undefined

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const loop = async () => {
    while (!stopped) {
      woken = false
      let pause = options.pollMs
      try {
        while (!stopped && (await round()) === true);
      } catch (error) {
        options.onError(error)
        pause = options.retryMs ?? 1000
        woken = false
      }
      if (!stopped && !woken) await sleep(pause)
    }
  }
  const running = loop()
  return {
    wake() {
      woken = true
      wakeUp()
    },
    async stop() {
      stopped = true
      wakeUp()
      await running
    },
  }
}
