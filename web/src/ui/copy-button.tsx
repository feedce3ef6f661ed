import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { copyToClipboard } from './clipboard.ts'
import { IconButton } from './icon-button.tsx'

export interface CopyButtonProps {
  /** What is copied; a function is asked only when clicked. */
  text: string | (() => string)
  label?: string
  /** The toast's words. */
  message?: string
  /** Shows the label as text. */
  withLabel?: boolean
  size?: 'sm' | 'md'
  className?: string
}

/** Copies something; the icon confirms for a moment. */
export function CopyButton({ text, label = 'Copy', message, withLabel, size = 'sm', className }: CopyButtonProps) {
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(false), 1500)
    return () => clearTimeout(timer)
  }, [done])
  const copy = async () => setDone(await copyToClipboard(typeof text === 'function' ? text() : text, message))
  const icon = done ? Check : Copy
  if (withLabel)
    return (
      <Button icon={icon} size={size} onClick={copy} className={className}>
        {label}
      </Button>
    )
  return <IconButton icon={icon} label={label} size={size} onClick={copy} className={className} />
}

/** An id or name that copies itself when clicked; the toast names what was copied. */
export function CopyText({ text, children, className }: { text: string; children?: string; className?: string }) {
  return (
    <button
      type="button"
      title={`Copy ${text}`}
      onClick={() => copyToClipboard(text, `Copied ${text} to clipboard`)}
      className={`max-w-full truncate rounded-sm text-left hover:underline ${className ?? ''}`}
    >
      {children ?? text}
    </button>
  )
}
