import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

const merge = extendTailwindMerge({ extend: { theme: { text: ['2xs'] } } })

/** Joins class names; of two that set the same property the later one wins. */
export function cn(...classes: ClassValue[]) {
  return merge(clsx(classes))
}
