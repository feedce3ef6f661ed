import { Construction } from 'lucide-react'
import { EmptyState } from '@/ui/empty-state.tsx'

/** The page of an area that has not landed: it says so, and what will be here. No sample data, no dead buttons. */
export const notLandedPage = (about: string) =>
  function NotLandedPage() {
    return (
      <EmptyState icon={Construction} title="This area has not landed yet" className="min-h-full">
        {about}
      </EmptyState>
    )
  }
