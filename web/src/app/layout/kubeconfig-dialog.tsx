import { Download } from 'lucide-react'
import { useState } from 'react'
import { buttonClass } from '@/ui/button.tsx'
import { CopyButton } from '@/ui/copy-button.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { paths } from '../paths.ts'

/** The name the server gives the file: the first part of its host. */
function fileOf(hostname: string) {
  const label = /^[\d.]+$|:/.test(hostname) ? hostname : hostname.split('.')[0]!
  return `${
    label
      .replaceAll(/[^a-z0-9-]+/gi, '-')
      .replaceAll(/^-+|-+$/g, '')
      .toLowerCase() || 'quarterdeck'
  }-kubeconfig.yaml`
}

/** How to use kubectl through the server: download the file, then use it. */
export function KubeconfigDialog({ onClose }: { onClose: () => void }) {
  const [open, setOpen] = useState(true)
  const command = `kubectl --kubeconfig ./${fileOf(window.location.hostname)} get namespaces`
  return (
    <Dialog
      size="very-small"
      title="Download and install kubeconfig"
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        // Later, so that the closing movement is seen.
        if (!next) setTimeout(onClose, 200)
      }}
    >
      <ol className="flex flex-col gap-5 text-sm">
        <Step number={1} title="Download the kubeconfig file">
          <a href={paths.kubeconfig} target="_blank" rel="noreferrer" className={buttonClass({ variant: 'primary' })}>
            <Download size={15} aria-hidden />
            Download
          </a>
          <p className="mt-2 text-muted">It holds an access token of yours: keep it like a password.</p>
        </Step>
        <Step number={2} title="Apply it using kubectl">
          <div className="flex items-center gap-2 rounded-md bg-sunken py-1.5 pr-1.5 pl-3">
            <code className="min-w-0 flex-1 font-mono text-xs break-all">{command}</code>
            <CopyButton text={command} label="Copy command" />
          </div>
        </Step>
      </ol>
    </Dialog>
  )
}

function Step({ number, title, children }: { number: number; title: string; children: React.ReactNode }) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden
        className="grid size-6 shrink-0 place-items-center rounded-full bg-sunken text-xs font-semibold"
      >
        {number}
      </span>
      <div className="min-w-0 flex-1">
        <p className="mb-2 leading-6 font-medium">{title}</p>
        {children}
      </div>
    </li>
  )
}
