import { parentPort, workerData } from 'node:worker_threads'
import { prepareSource } from '../evaluate-source.ts'
import type { Reply, Request, WorkerSetup } from './protocol.ts'
import { runJob } from './run-job.ts'

/** The thread that runs what may take long. It is stopped from outside when one request takes too long. */

const { progress } = workerData as WorkerSetup
const at = new Int32Array(progress)
const port = parentPort!

// Answers travel together, but none waits long for its neighbours.
const flushAfterMs = 5

async function handle(requests: Request[]): Promise<void> {
  let replies: Reply[] = []
  let flushed = performance.now()
  for (const { id, job } of requests) {
    await prepareSource(job.source)
    Atomics.store(at, 0, id)
    replies.push({ id, outcome: outcomeOf({ id, job }) })
    Atomics.store(at, 0, 0)
    if (performance.now() - flushed > flushAfterMs) {
      port.postMessage(replies)
      replies = []
      flushed = performance.now()
    }
  }
  if (replies.length > 0) port.postMessage(replies)
}

function outcomeOf({ job }: Request): Reply['outcome'] {
  try {
    return runJob(job)
  } catch (error) {
    const message = `The expression could not be evaluated: ${(error as Error).message}`
    return { type: 'failure', failure: { message, kind: 'evaluation', language: job.source.language } }
  }
}

let queue = Promise.resolve()
port.on('message', (requests: Request[]) => {
  queue = queue.then(() => handle(requests))
})
