import { Copy, Download } from 'lucide-react'
import { saveFile } from '@/lib/save-file.ts'
import { Button } from '@/ui/button.tsx'
import { copyToClipboard } from '@/ui/clipboard.ts'
import { isUiText, labelOf, text, type UiNode, type UiText } from './flows.ts'

// The identity service marks by number: a list of recovery codes, each used one in it, and the key of an app.
const recoveryCodes = 1050015
const usedCode = 1050014
const authenticatorKey = 1050006

/** Something to read: a key to type elsewhere, recovery codes to keep, or plain words. */
export function TextNode({ node }: { node: UiNode }) {
  const content = isUiText(node.attributes.text) ? node.attributes.text : undefined
  const secrets: unknown = content?.id === recoveryCodes ? content.context?.secrets : undefined
  return (
    <div id={text(node.attributes.id)} className="flex flex-col gap-1.5">
      {labelOf(node) && <p className="text-sm font-medium">{labelOf(node)}</p>}
      {Array.isArray(secrets) ? (
        <RecoveryCodes codes={secrets.filter(isUiText)} />
      ) : (
        <>
          <code className="rounded-md bg-sunken px-3 py-2 font-mono text-sm break-all select-all">{content?.text}</code>
          {content?.id === authenticatorKey && (
            <Button
              icon={Copy}
              onClick={() => void copyToClipboard(content.text, 'Copied the key')}
              className="self-start"
            >
              Copy key
            </Button>
          )}
        </>
      )}
    </div>
  )
}

/** Codes are shown in full once; later only how many are left. What cannot be used is not offered to keep. */
function RecoveryCodes({ codes }: { codes: readonly UiText[] }) {
  const usable = codes.filter(({ id, text: code }) => id !== usedCode && /[a-z0-9]/i.test(code))
  const words = usable.map((code) => code.text).join('\n')
  return (
    <>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-x-4 gap-y-1 rounded-md bg-sunken p-3 font-mono text-sm">
        {codes.map((code, index) => (
          <li key={index} className={code.id === usedCode ? 'text-subtle line-through' : undefined}>
            {code.id === usedCode ? 'Used' : code.text}
          </li>
        ))}
      </ul>
      {usable.length > 0 && (
        <div className="flex flex-wrap gap-2">
          <Button icon={Copy} onClick={() => void copyToClipboard(words, 'Copied the recovery codes')}>
            Copy codes
          </Button>
          <Button icon={Download} onClick={() => saveFile('recovery-codes.txt', new Blob([`${words}\n`]))}>
            Save as file
          </Button>
        </div>
      )}
    </>
  )
}
