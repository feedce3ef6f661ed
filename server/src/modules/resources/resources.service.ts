import type { Context } from '../../context.ts'
import type { Service } from '../../platform/queue/service.ts'
import { applyFirstStart } from './first-start.ts'
import { watchFolder } from './watch.ts'

/** For the worker: the product's own documents once, then the watched folder for as long as it runs. */
export const resourceService: Service = {
  name: 'resource files',
  async start(ctx: Context) {
    await applyFirstStart(ctx)
    return watchFolder(ctx)
  },
}
