import { type DocumentFormat, textOf } from './document-text.ts'

// A document of megabytes is written out here, so that the page stays free.
self.addEventListener('message', (event: MessageEvent<{ value: unknown; format: DocumentFormat }>) => {
  const { value, format } = event.data
  self.postMessage(textOf(value, format))
})
