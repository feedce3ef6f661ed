import { place } from './dagre.ts'
import type { LayoutRequest } from './model.ts'

// Layout of a large graph takes most of a second; here it does not stop the page.
self.addEventListener('message', (event: MessageEvent<{ id: number; request: LayoutRequest }>) => {
  const { id, request } = event.data
  try {
    self.postMessage({ id, layout: place(request) })
  } catch (error) {
    self.postMessage({ id, error: error instanceof Error ? error.message : String(error) })
  }
})
