import { useForm } from 'react-hook-form'
import { FormFields } from '@/ui/form/form-fields.tsx'
import { FormDialog } from '@/ui/form/form-dialog.tsx'
import { config } from '../picker-fields.tsx'
import { useLinkConfig } from './config-links.queries.ts'

/** Links a component with a catalog item; the search offers at most 50 of them. */
export function LinkToCatalogDialog({ componentId, onClose }: { componentId: string; onClose: () => void }) {
  const form = useForm<{ config_id?: string }>()
  const link = useLinkConfig(componentId)
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Link to Catalog"
      size="very-small"
      form={form}
      submitLabel={link.isPending ? 'Linking…' : 'Link'}
      onSubmit={async (values) => {
        await link.mutateAsync(values.config_id!)
        onClose()
      }}
    >
      <FormFields fields={[config('config_id', { label: 'Catalog item', required: true })]} />
    </FormDialog>
  )
}
