import type { Context } from '../../context.ts'

/** Something a worker runs beside the queue for as long as it lives, such as the engine that runs checks. */
export interface Service {
  name: string
  start(ctx: Context, workerId: string): Promise<{ stop(): Promise<void> }>
}
