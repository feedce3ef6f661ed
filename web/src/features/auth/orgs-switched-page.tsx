import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '@/app/paths.ts'
import { Spinner } from '@/ui/spinner.tsx'

/** Landing after another organisation was chosen: forgets everything of the one before, then opens the console. */
export function OrgsSwitchedPage() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  useEffect(() => {
    queries.clear()
    void navigate(paths.home, { replace: true })
  }, [queries, navigate])
  return <Spinner size={20} label="Switching organisation" className="text-muted" />
}
