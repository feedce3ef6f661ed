import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn.ts'

/** A text field of several lines that grows with its content. */
export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={3}
      {...props}
      className={cn('control field-sizing-content max-h-96 min-h-16 w-full px-2.5 py-1.5', className)}
    />
  )
}
