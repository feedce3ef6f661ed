/** Kinds of resources that are read in full, with the version of their API and what they are called here. */
export interface AzureKind {
  /** As Azure writes it. */
  type: string
  version: string
  configClass: string
}

export const azureKinds: AzureKind[] = [
  { type: 'Microsoft.Compute/virtualMachines', version: '2024-03-01', configClass: 'VirtualMachine' },
  { type: 'Microsoft.Compute/virtualMachineScaleSets', version: '2024-03-01', configClass: 'Node' },
  { type: 'Microsoft.Sql/servers', version: '2021-11-01', configClass: 'RelationalDatabase' },
  { type: 'Microsoft.DBforPostgreSQL/flexibleServers', version: '2022-12-01', configClass: 'RelationalDatabase' },
  { type: 'Microsoft.DBforMySQL/flexibleServers', version: '2023-06-30', configClass: 'RelationalDatabase' },
  { type: 'Microsoft.ContainerService/managedClusters', version: '2024-02-01', configClass: 'KubernetesCluster' },
  { type: 'Microsoft.Network/azureFirewalls', version: '2023-11-01', configClass: 'Firewall' },
  { type: 'Microsoft.ContainerRegistry/registries', version: '2023-07-01', configClass: 'ContainerRegistry' },
  { type: 'Microsoft.Network/virtualNetworks', version: '2023-11-01', configClass: 'VirtualNetwork' },
  { type: 'Microsoft.Network/loadBalancers', version: '2023-11-01', configClass: 'LoadBalancer' },
  { type: 'Microsoft.Storage/storageAccounts', version: '2023-01-01', configClass: 'StorageAccount' },
  { type: 'Microsoft.Web/sites', version: '2023-12-01', configClass: 'AppService' },
  { type: 'Microsoft.Network/dnsZones', version: '2018-05-01', configClass: 'DNSZone' },
  { type: 'Microsoft.Network/privateDnsZones', version: '2020-06-01', configClass: 'PrivateDNSZone' },
  { type: 'Microsoft.Network/trafficManagerProfiles', version: '2022-04-01', configClass: 'TrafficManagerProfile' },
  { type: 'Microsoft.Network/networkSecurityGroups', version: '2023-11-01', configClass: 'NetworkSecurityGroup' },
  { type: 'Microsoft.Network/publicIPAddresses', version: '2023-11-01', configClass: 'PublicIPAddress' },
]

/** Azure writes the same type in different cases in different places. */
export const typeOf = (armType: string): string => `Azure::${armType.toUpperCase()}`

/** `/subscriptions/…/resourceGroups/shop/…` → `shop` */
export const groupOf = (id: string): string => /\/resourcegroups\/([^/]+)/i.exec(id)?.[1] ?? ''

/** Ids are compared without case, as Azure itself does. */
export const idOf = (id: string): string => id.toLowerCase()

/** `/subscriptions/…/providers/Microsoft.Sql/servers/a/databases/b` → the id and type of `a`. */
export function resourceOf(id: string): { id: string; type: string } | undefined {
  const found = /^(.*\/providers\/([^/]+)\/([^/]+)\/[^/]+)/i.exec(id)
  if (found) return { id: idOf(found[1]!), type: typeOf(`${found[2]}/${found[3]}`) }
  const group = /^(\/subscriptions\/[^/]+\/resourcegroups\/[^/]+)/i.exec(id)?.[1]
  if (group) return { id: idOf(group), type: typeOf('Microsoft.Resources/resourceGroups') }
  const subscription = /^(\/subscriptions\/[^/]+)/i.exec(id)?.[1]
  return subscription ? { id: idOf(subscription), type: typeOf('subscription') } : undefined
}
