import { useState } from 'react'
import { ConfirmDialog } from '@/ui/confirm-dialog.tsx'
import { type Flow, type FlowValues, isRemoval, labelOf } from './flows.ts'
import type { FlowScreen } from './use-flow.ts'

/** Asks before a way of signing in is taken away; everything else is sent at once. */
export function useRemoval(screen: FlowScreen) {
  const [isOpen, setOpen] = useState(false)
  // Kept while the dialog fades, which would otherwise ask about nothing.
  const [asked, setAsked] = useState({ label: '', send: () => {} })
  const submit = (flow: Flow, values: FlowValues, pressed: string) => {
    const send = () => screen.submit(values, pressed)
    const node = flow.ui.nodes.find(
      ({ attributes }) => `${String(attributes.name)}=${String(attributes.value)}` === pressed,
    )
    if (!node || !isRemoval(node)) return send()
    setAsked({ label: labelOf(node) ?? 'Remove', send })
    setOpen(true)
  }
  const dialog = (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={setOpen}
      title={`${asked.label}?`}
      confirmLabel={asked.label.split(' ')[0]!}
      onConfirm={asked.send}
    >
      It can no longer be used to sign in.
    </ConfirmDialog>
  )
  return { submit, dialog }
}
