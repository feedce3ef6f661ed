import { useAccess } from '@/api/access.tsx'

/** Only servers that tell what they offer can run a check that nobody saved. */
export const useCanTry = (): boolean => useAccess().capabilities.version !== ''
