import { toast } from './toast.tsx'

/** Copies a text and says so. Without the clipboard API (plain http) the old command is tried before giving up. */
export async function copyToClipboard(text: string, message = 'Copied to clipboard'): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (!clipboard && !document.execCommand) {
    toast.error('Clipboard not available')
    return false
  }
  try {
    if (clipboard) await clipboard.writeText(text)
    else if (!copyBySelection(text)) throw new Error('refused')
    toast.success(message)
    return true
  } catch {
    toast.error('Failed to copy to clipboard')
    return false
  }
}

function copyBySelection(text: string) {
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  // Inside the open dialog, because its focus trap would take the selection away from anything outside.
  const host = document.activeElement?.closest('[role=dialog]') ?? document.body
  host.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}
