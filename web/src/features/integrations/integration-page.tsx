import { useParams } from 'react-router'
import { paths } from '@/app/paths.ts'
import { ResourcePage } from '@/entities/settings-resource/resource-page.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { integrationTypes } from './integration.ts'

/** One integration, by the type in its address. */
export function IntegrationPage() {
  const { type = '', id = '' } = useParams()
  const known = Object.hasOwn(integrationTypes, type) ? integrationTypes[type] : undefined
  if (!known) return <EmptyState title="Unknown type" />
  return <ResourcePage key={id} kind={known.kind} id={id} at={paths.integration(type, id)} back={paths.integrations} />
}
