import { Registry } from 'prom-client'
import type { Service } from '../../platform/queue/service.ts'
import { startHealthEngine } from './engine.ts'
import { engineMetrics } from './engine-metrics.ts'
import { runtimeOf } from './runtime.ts'

/** A full look at all canaries, in case a message about one was lost. */
const resyncEveryMs = 5 * 60_000

/** For the worker: runs the checks of this process's share and follows changes of canaries. */
export const healthService: Service = {
  name: 'health engine',
  async start(ctx, workerId) {
    const log = ctx.log.child({ engine: 'health' })
    const metrics = engineMetrics(ctx.metrics ?? new Registry())
    const engine = await startHealthEngine({ ...runtimeOf(ctx), owner: workerId, metrics })

    const changed = new Set<string>()
    let everything = false
    let working = Promise.resolve()
    let timer: NodeJS.Timeout | undefined
    const follow = () => {
      timer = undefined
      const ids = [...changed]
      const all = everything
      changed.clear()
      everything = false
      working = working
        .then(() => (all ? engine.reloadAll() : engine.reload(ids)))
        .catch((error: Error) => {
          log.warn({ err: error }, 'changed canaries could not be read; trying again')
          everything = true
          timer ??= setTimeout(follow, 5000)
        })
    }
    // Many statements in a row (an import, a first start) become one look.
    const soon = () => void (timer ??= setTimeout(follow, 50))
    const unsubscribe = ctx.live.subscribe({
      change(_, { relation, ids }) {
        if (relation !== 'canaries') return
        for (const id of ids) changed.add(id)
        if (ids.length === 0) everything = true
        soon()
      },
      missed() {
        everything = true
        soon()
      },
    })
    const resync = setInterval(() => {
      everything = true
      soon()
    }, resyncEveryMs)

    return {
      async stop() {
        unsubscribe()
        clearInterval(resync)
        clearTimeout(timer)
        await working
        await engine.stop()
      },
    }
  },
}
