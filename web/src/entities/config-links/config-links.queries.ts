import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { from } from '@/api/data-api.ts'
import { toast } from '@/ui/toast.tsx'

/** A catalog item linked with a component, by a selector of the topology or by a person. */
export interface ConfigLink {
  component_id: string
  config_id: string
  /** `manual` for links made by people; only those can be taken away. */
  selector_id: string
  deleted_at: string | null
  configs: { id: string; type: string; name: string; config_class: string; deleted_at: string | null } | null
}

export const manual = 'manual'

/** Items that are gone are not worth a line unless asked for. */
export const isGone = (link: ConfigLink): boolean => !!link.deleted_at || !!link.configs?.deleted_at

const columns = '*,configs!config_component_relationships_config_id_fkey(id,type,name,config_class,deleted_at)'

/** The links of a component. */
export const componentLinksQuery = (componentId: string, { hideDeleted }: { hideDeleted: boolean }) =>
  queryOptions({
    queryKey: ['topology', 'config-links', componentId, hideDeleted],
    queryFn: ({ signal }) => {
      const links = from<ConfigLink>('config_component_relationships')
        .eq('component_id', componentId)
        .param('configs.order', 'name')
        .select(columns)
      return (hideDeleted ? links.isNull('deleted_at') : links).rows({ signal })
    },
    meta: { relations: ['config_component_relationships', 'config_items'] },
  })

/** The components a catalog item is linked with. */
interface ComponentOfConfig extends Omit<ConfigLink, 'configs'> {
  components: { id: string; name: string; icon: string | null; type: string | null } | null
}

export const configLinksQuery = (configId: string) =>
  queryOptions({
    queryKey: ['catalog', 'config-links', configId],
    queryFn: ({ signal }) =>
      from<ComponentOfConfig>('config_component_relationships')
        .eq('config_id', configId)
        .isNull('deleted_at')
        .select('*,components(id,name,icon,type)')
        .rows({ signal }),
    meta: { relations: ['config_component_relationships'], quiet: true },
  })

const useRefresh = () => {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      ['topology', 'catalog'].map((family) => queries.invalidateQueries({ queryKey: [family, 'config-links'] })),
    )
}

export function useLinkConfig(componentId: string) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (configId: string) =>
      from('config_component_relationships').insert({
        component_id: componentId,
        config_id: configId,
        selector_id: manual,
      }),
    onSuccess: () => {
      toast.success('config link successful')
      return refresh()
    },
    meta: { quiet: true },
  })
}

export function useUnlinkConfig(componentId: string) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async (configId: string) => {
      const gone = await from('config_component_relationships')
        .eq('component_id', componentId)
        .eq('config_id', configId)
        .eq('selector_id', manual)
        .remove()
      if (gone.length === 0) throw new Error('This link is not there any more')
    },
    onSuccess: () => {
      toast.success('Deleted config link successfully')
      return refresh()
    },
  })
}
