import { useEffect, useMemo, useState } from 'react'
import { type DocumentFormat, isLarge, textOf } from './document-text.ts'

/** A document as text; large ones are written beside the page and are undefined until they are there. */
export function useDocumentText(value: unknown, format: DocumentFormat): string | undefined {
  const small = useMemo(() => (isLarge(value) ? undefined : textOf(value, format)), [value, format])
  const [written, setWritten] = useState<{ value: unknown; format: DocumentFormat; text: string }>()
  const isMissing = small === undefined
  useEffect(() => {
    if (!isMissing) return
    const show = (text: string) => setWritten({ value, format, text })
    const worker = new Worker(new URL('./document.worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<string>) => show(data))
    // Where workers cannot start the page writes it itself: slow is better than nothing.
    worker.addEventListener('error', () => show(textOf(value, format)))
    worker.postMessage({ value, format })
    return () => worker.terminate()
  }, [isMissing, value, format])
  if (small !== undefined) return small
  return written && written.value === value && written.format === format ? written.text : undefined
}
