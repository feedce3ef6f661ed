import { Spinner } from '@/ui/spinner.tsx'

/** Stands where a form of the hosted provider will be, while our code for it loads and while its own does. */
export const waiting = <Spinner size={20} label="Loading the identity provider" className="text-muted" />
