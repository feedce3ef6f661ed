import type { Layout, LayoutRequest } from './model.ts'

interface Answer {
  id: number
  layout?: Layout
  error?: string
}

let worker: Worker | undefined
let nextId = 1
const waiting = new Map<number, { done: (layout: Layout) => void; failed: (error: Error) => void }>()

function start() {
  const created = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' })
  created.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    const caller = waiting.get(data.id)
    waiting.delete(data.id)
    if (data.layout) caller?.done(data.layout)
    else caller?.failed(new Error(data.error ?? 'The graph could not be laid out'))
  })
  created.addEventListener('error', () => {
    // A worker that cannot start answers nobody; the next request gets a new one.
    for (const caller of waiting.values()) caller.failed(new Error('The graph could not be laid out'))
    waiting.clear()
    worker = undefined
  })
  return created
}

/** The places of a graph's nodes, worked out beside the page. */
export function layoutGraph(request: LayoutRequest): Promise<Layout> {
  worker ??= start()
  const id = nextId++
  return new Promise((done, failed) => {
    waiting.set(id, { done, failed })
    worker!.postMessage({ id, request })
  })
}
