import type { awsIncludes } from '@quarterdeck/contract/scrapers/aws'
import {
  buckets,
  ecsClusters,
  ecsServices,
  ecsTasks,
  eksClusters,
  fargateProfiles,
  fileSystems,
  functions,
  hostedZones,
  repositories,
  taskDefinitions,
} from './containers.ts'
import { dhcpOptions, images, instances, routeTables, securityGroups, subnets, volumes, vpcs } from './ec2.ts'
import type { Found, Scan } from './scan.ts'
import { caches, databases, loadBalancers, profiles, queues, roles, stacks, topics, users } from './services.ts'

export interface ResourceKind {
  include: Exclude<(typeof awsIncludes)[number], 'Account'>
  list: (scan: Scan) => AsyncGenerator<Found>
  /** Asked once, in whichever region. */
  isGlobal?: boolean
  /** Only when it is named: there may be tens of thousands. */
  isRare?: boolean
}

/** What can be read, by its name in `include`; networks first, as others lie in them. */
export const resourceKinds: ResourceKind[] = [
  { include: 'VPC', list: vpcs },
  { include: 'DHCP', list: dhcpOptions },
  { include: 'subnet', list: subnets },
  { include: 'Route', list: routeTables },
  { include: 'SecurityGroup', list: securityGroups },
  { include: 'Images', list: images },
  { include: 'EBS', list: volumes },
  { include: 'EC2instance', list: instances },
  { include: 'LoadBalancer', list: loadBalancers },
  { include: 'RDS', list: databases },
  { include: 'ElastiCache', list: caches },
  { include: 'EFS', list: fileSystems },
  { include: 'EKS', list: eksClusters },
  { include: 'FargateProfile', list: fargateProfiles },
  { include: 'ecs', list: ecsClusters },
  { include: 'ECSService', list: ecsServices },
  { include: 'ECSTask', list: ecsTasks },
  { include: 'ECSTaskDefinition', list: taskDefinitions, isRare: true },
  { include: 'ECR', list: repositories },
  { include: 'lambda', list: functions },
  { include: 'sns', list: topics },
  { include: 'sqs', list: queues },
  { include: 'cloudformation', list: stacks },
  { include: 'Roles', list: roles, isGlobal: true },
  { include: 'User', list: users, isGlobal: true },
  { include: 'Profiles', list: profiles, isGlobal: true },
  { include: 'DNSZone', list: hostedZones, isGlobal: true },
  { include: 'S3Bucket', list: buckets, isGlobal: true },
]

/** Whether a spec wants a kind; names are compared without case. */
export function wants(
  { include = [], exclude = [] }: { include?: string[]; exclude?: string[] },
  { include: name, isRare }: Pick<ResourceKind, 'include' | 'isRare'> | { include: 'Account'; isRare?: boolean },
): boolean {
  const among = (list: string[]) => list.some((each) => each.toLowerCase() === name.toLowerCase())
  if (among(exclude)) return false
  return include.length > 0 ? among(include) : !isRare
}
