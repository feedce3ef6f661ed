import { Button } from '@/ui/button.tsx'
import { CopyButton } from '@/ui/copy-button.tsx'
import { Dialog } from '@/ui/dialog.tsx'

/** A link that opens an account. The server keeps no copy, so it is shown this once. */
export function LinkDialog({
  url,
  name,
  isInvitation,
  onClose,
}: {
  url: string
  name: string
  isInvitation?: boolean
  onClose: () => void
}) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="very-small"
      dismissable={false}
      title={isInvitation ? `${name} is invited` : `Sign-in link for ${name}`}
      footer={
        <>
          <CopyButton text={url} label="Copy link" message="Copied the link" withLabel size="md" />
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <p className="text-sm text-muted">
        No mail server is set up, so nothing was sent. Hand this link to {name} yourself: it lets its holder set a
        password and sign in. It is not shown again.
      </p>
      <p className="mt-3 rounded-md bg-sunken p-3 font-mono text-xs break-all select-all" data-testid="sign-in-link">
        {url}
      </p>
    </Dialog>
  )
}
