type Health = 'healthy' | 'unhealthy' | 'warning' | 'unknown'

/** States of RDS that need somebody, and those in between two others; everything else is ordinary upkeep. */
const rdsBad =
  /^(failed|incompatible-|insufficient-capacity|inaccessible-encryption-credentials$|restore-error|storage-full)/
const rdsBetween = ['creating', 'starting', 'stopping', 'deleting']
const rdsFine = [
  'available',
  'backing-up',
  'configuring-enhanced-monitoring',
  'configuring-iam-database-auth',
  'configuring-log-exports',
  'converting-to-vpc',
  'maintenance',
  'modifying',
  'moving-to-vpc',
  'rebooting',
  'renaming',
  'resetting-master-credentials',
  'storage-config-upgrade',
  'storage-optimization',
  'upgrading',
]

function rds(state: string): Health {
  if (state === 'inaccessible-encryption-credentials-recoverable') return 'warning'
  if (rdsBad.test(state)) return 'unhealthy'
  if (rdsBetween.includes(state)) return 'unknown'
  return rdsFine.includes(state) ? 'healthy' : 'unknown'
}

function cloudFormation(state: string): Health {
  if (state.endsWith('_failed')) return 'unhealthy'
  if (state.endsWith('_in_progress') && !state.includes('rollback')) return 'unknown'
  if (state.includes('rollback_')) return 'warning'
  return state.endsWith('_complete') ? 'healthy' : 'unknown'
}

const among =
  (states: Record<string, Health>) =>
  (state: string): Health =>
    states[state] ?? 'unknown'

const network = among({ available: 'healthy', pending: 'unknown' })
const rules: Record<string, (state: string) => Health> = {
  'AWS::EC2::Instance': among({ running: 'healthy' }),
  'AWS::EC2::Volume': among({ available: 'healthy', 'in-use': 'healthy', error: 'unhealthy' }),
  'AWS::EC2::VPC': network,
  'AWS::EC2::Subnet': network,
  'AWS::EKS::Cluster': among({ active: 'healthy', failed: 'unhealthy' }),
  'AWS::EKS::FargateProfile': among({ active: 'healthy', create_failed: 'unhealthy', delete_failed: 'unhealthy' }),
  'AWS::ElasticLoadBalancingV2::LoadBalancer': among({
    active: 'healthy',
    active_impaired: 'warning',
    failed: 'unhealthy',
  }),
  'AWS::RDS::DBInstance': rds,
  'AWS::CloudFormation::Stack': cloudFormation,
  'AWS::ECS::Cluster': among({ active: 'healthy', failed: 'unhealthy' }),
  'AWS::ECS::Service': among({ active: 'healthy' }),
  'AWS::ECS::Task': among({ running: 'healthy' }),
  'AWS::EFS::FileSystem': among({ available: 'healthy', error: 'unhealthy' }),
  'AWS::ElastiCache::CacheCluster': among({
    available: 'healthy',
    'incompatible-network': 'unhealthy',
    'restore-failed': 'unhealthy',
  }),
  'AWS::Lambda::Function': among({ active: 'healthy', failed: 'unhealthy' }),
}

/** What a state of a resource means. */
export const healthOf = (type: string, state: string): Health => rules[type]?.(state.toLowerCase()) ?? 'unknown'

/** `in-use` is shown as `In use`. */
export function statusOf(state: string): string {
  const words = state.replaceAll(/[-_]/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
