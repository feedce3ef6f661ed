import type { Service } from '../../../platform/queue/service.ts'
import { syncScrapers } from './scrape.jobs.ts'
import { Watches } from './watch.ts'

/** For the worker: scrapers that were added, changed or deleted are followed at once, and sources that can tell are listened to. */
export const scrapeService: Service = {
  name: 'scrapers',
  async start(ctx, workerId) {
    const log = ctx.log.child({ engine: 'catalog' })
    const watches = new Watches(ctx, workerId, log)
    let working = Promise.resolve()
    let timer: NodeJS.Timeout | undefined
    let isStopped = false
    const follow = () => {
      timer = undefined
      working = working
        .then(async () => {
          await syncScrapers(ctx)
          await watches.sync()
        })
        .catch((error: unknown) => {
          log.warn({ err: error }, 'changed scrapers could not be read; trying again')
          soon(5000)
        })
    }
    // Many statements in a row (an import, a first start) become one look.
    const soon = (ms = 100) => {
      if (!isStopped) timer ??= setTimeout(follow, ms)
    }
    const unsubscribe = ctx.live.subscribe({
      change(_, { relation }) {
        if (relation === 'config_scrapers') soon()
      },
      missed: () => soon(),
    })
    // Watches move to another worker when theirs dies; nobody tells, so everybody looks.
    const look = setInterval(() => soon(), 30_000)
    soon()
    return {
      async stop() {
        isStopped = true
        unsubscribe()
        clearInterval(look)
        clearTimeout(timer)
        await working
        await watches.stop()
      },
    }
  },
}
