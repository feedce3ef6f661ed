import { record, records, word } from '../../../../platform/kubernetes/object.ts'
import { blank, isTelling } from '../telling.ts'
import { type Found, type Raw, refOf, type Scan } from './scan.ts'

/** Services that speak JSON: containers, functions, files, zones, buckets. */

const texts = (list: unknown): string[] => (Array.isArray(list) ? list.map(word).filter(Boolean) : [])
const seconds = (value: unknown): unknown => (typeof value === 'number' ? new Date(value * 1000).toISOString() : value)

const ecs = (scan: Scan, action: string, input: object) =>
  scan.json('ecs', `AmazonEC2ContainerServiceV20141113.${action}`, input)

async function ecsList(scan: Scan, action: string, field: string, input: object = {}): Promise<string[]> {
  const found: string[] = []
  let nextToken: string | undefined
  do {
    const page = await ecs(scan, action, { ...input, ...(nextToken ? { nextToken } : {}) })
    found.push(...texts(page[field]))
    nextToken = word(page.nextToken) || undefined
  } while (nextToken)
  return found
}

function* parts(list: readonly string[], size: number): Iterable<string[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size)
}

export async function* ecsClusters(scan: Scan): AsyncGenerator<Found> {
  for (const clusters of parts(await ecsList(scan, 'ListClusters', 'clusterArns'), 100)) {
    const page = await ecs(scan, 'DescribeClusters', { clusters, include: ['TAGS', 'SETTINGS'] })
    for (const each of records(page.clusters)) {
      // How much runs at this moment is no configuration.
      const { runningTasksCount: _, pendingTasksCount: __, statistics: ___, ...config } = each
      const arn = word(each.clusterArn)
      yield {
        type: 'AWS::ECS::Cluster',
        id: arn,
        arn,
        name: word(each.clusterName),
        config,
        status: word(each.status),
        tags: each.tags,
      }
    }
  }
}

export async function* ecsServices(scan: Scan): AsyncGenerator<Found> {
  for (const cluster of await ecsList(scan, 'ListClusters', 'clusterArns')) {
    for (const services of parts(await ecsList(scan, 'ListServices', 'serviceArns', { cluster }), 10)) {
      const page = await ecs(scan, 'DescribeServices', { cluster, services, include: ['TAGS'] })
      for (const { events: _, ...each } of records(page.services)) {
        const arn = word(each.serviceArn)
        yield {
          type: 'AWS::ECS::Service',
          id: arn,
          arn,
          name: word(each.serviceName),
          config: each,
          status: word(each.status),
          tags: each.tags,
          created: seconds(each.createdAt),
          parents: [refOf('AWS::ECS::Cluster', cluster)],
          related: [{ to: refOf('AWS::ECS::TaskDefinition', each.taskDefinition), relation: 'ServiceTaskDefinition' }],
        }
      }
    }
  }
}

export async function* ecsTasks(scan: Scan): AsyncGenerator<Found> {
  for (const cluster of await ecsList(scan, 'ListClusters', 'clusterArns')) {
    for (const tasks of parts(await ecsList(scan, 'ListTasks', 'taskArns', { cluster }), 100)) {
      const page = await ecs(scan, 'DescribeTasks', { cluster, tasks, include: ['TAGS'] })
      for (const each of records(page.tasks)) {
        const arn = word(each.taskArn)
        yield {
          type: 'AWS::ECS::Task',
          id: arn,
          arn,
          name: arn.split('/').at(-1),
          config: masked(each),
          status: word(each.lastStatus),
          tags: each.tags,
          created: seconds(each.createdAt),
          zone: each.availabilityZone,
          parents: [refOf('AWS::ECS::Cluster', cluster)],
          related: [{ to: refOf('AWS::ECS::TaskDefinition', each.taskDefinitionArn), relation: 'TaskTaskDefinition' }],
        }
      }
    }
  }
}

export async function* taskDefinitions(scan: Scan): AsyncGenerator<Found> {
  for (const taskDefinition of await ecsList(scan, 'ListTaskDefinitions', 'taskDefinitionArns', { status: 'ACTIVE' })) {
    const answer = await ecs(scan, 'DescribeTaskDefinition', { taskDefinition, include: ['TAGS'] })
    const each = record(answer.taskDefinition)
    const name = `${word(each.family)}:${String(each.revision as number)}`
    yield {
      type: 'AWS::ECS::TaskDefinition',
      id: taskDefinition,
      arn: taskDefinition,
      name,
      config: masked(each),
      tags: answer.tags,
      created: seconds(each.registeredAt),
    }
  }
}

/** Passwords are sometimes written into the environment of a container. */
function masked(definition: Raw): Raw {
  const lists = [
    ...records(definition.containerDefinitions).map(({ environment }) => environment),
    ...records(record(definition.overrides).containerOverrides).map(({ environment }) => environment),
  ]
  for (const variable of lists.flatMap(records)) if (isTelling(word(variable.name))) variable.value = blank
  return definition
}

export async function* repositories(scan: Scan): AsyncGenerator<Found> {
  let nextToken: string | undefined
  do {
    const target = 'AmazonEC2ContainerRegistry_V20150921.DescribeRepositories'
    const page = await scan.json('ecr', target, { maxResults: 1000, ...(nextToken ? { nextToken } : {}) })
    for (const each of records(page.repositories)) {
      const arn = word(each.repositoryArn)
      yield {
        type: 'AWS::ECR::Repository',
        id: arn,
        arn,
        name: word(each.repositoryName),
        config: each,
        created: seconds(each.createdAt),
      }
    }
    nextToken = word(page.nextToken) || undefined
  } while (nextToken)
}

async function* restPages(
  scan: Scan,
  service: string,
  path: string,
  next: string,
  parameter: string,
): AsyncGenerator<Raw> {
  let token: string | undefined
  do {
    const query = token ? `${path.includes('?') ? '&' : '?'}${parameter}=${encodeURIComponent(token)}` : ''
    const page = await scan.rest({ service, path: path + query })
    yield page
    token = word(page[next]) || undefined
  } while (token)
}

async function clusterNames(scan: Scan): Promise<string[]> {
  const names: string[] = []
  for await (const page of restPages(scan, 'eks', '/clusters?maxResults=100', 'nextToken', 'nextToken'))
    names.push(...texts(page.clusters))
  return names
}

export async function* eksClusters(scan: Scan): AsyncGenerator<Found> {
  for (const name of await clusterNames(scan)) {
    const each = record((await scan.rest({ service: 'eks', path: `/clusters/${encodeURIComponent(name)}` })).cluster)
    const arn = word(each.arn)
    const network = record(each.resourcesVpcConfig)
    yield {
      type: 'AWS::EKS::Cluster',
      id: arn,
      arn,
      name,
      config: each,
      status: word(each.status),
      tags: each.tags,
      created: seconds(each.createdAt),
      vpc: network.vpcId,
      related: [
        ...texts(network.subnetIds).map((id) => ({ to: refOf('AWS::EC2::Subnet', id), relation: 'ClusterSubnet' })),
        { to: refOf('AWS::IAM::Role', each.roleArn), relation: 'ClusterRole' },
      ],
    }
  }
}

export async function* fargateProfiles(scan: Scan): AsyncGenerator<Found> {
  for (const cluster of await clusterNames(scan)) {
    const path = `/clusters/${encodeURIComponent(cluster)}/fargate-profiles`
    for await (const page of restPages(scan, 'eks', path, 'nextToken', 'nextToken')) {
      for (const name of texts(page.fargateProfileNames)) {
        const each = record(
          (await scan.rest({ service: 'eks', path: `${path}/${encodeURIComponent(name)}` })).fargateProfile,
        )
        const arn = word(each.fargateProfileArn)
        yield {
          type: 'AWS::EKS::FargateProfile',
          id: arn,
          arn,
          name,
          config: each,
          status: word(each.status),
          tags: each.tags,
          created: seconds(each.createdAt),
          parents: [refOf('AWS::EKS::Cluster', scan.arn('eks', `cluster/${cluster}`))],
        }
      }
    }
  }
}

export async function* functions(scan: Scan): AsyncGenerator<Found> {
  for await (const page of restPages(scan, 'lambda', '/2015-03-31/functions/?MaxItems=50', 'NextMarker', 'Marker')) {
    for (const each of records(page.Functions)) {
      const arn = word(each.FunctionArn)
      const variables = record(record(each.Environment).Variables)
      for (const name of Object.keys(variables)) if (isTelling(name)) variables[name] = blank
      const network = record(each.VpcConfig)
      yield {
        type: 'AWS::Lambda::Function',
        id: arn,
        arn,
        name: word(each.FunctionName),
        config: each,
        // Functions that were not used for a while say nothing.
        status: word(each.State) || 'Active',
        vpc: network.VpcId,
        related: [
          { to: refOf('AWS::IAM::Role', each.Role), relation: 'FunctionRole' },
          ...texts(network.SecurityGroupIds).map((id) => ({
            to: refOf('AWS::EC2::SecurityGroup', id),
            relation: 'SecurityGroupFunction',
          })),
        ],
      }
    }
  }
}

export async function* fileSystems(scan: Scan): AsyncGenerator<Found> {
  for await (const page of restPages(
    scan,
    'elasticfilesystem',
    '/2015-02-01/file-systems?MaxItems=100',
    'NextMarker',
    'Marker',
  )) {
    for (const each of records(page.FileSystems)) {
      const { SizeInBytes: _, ...config } = each
      const id = word(each.FileSystemId)
      yield {
        type: 'AWS::EFS::FileSystem',
        id,
        arn: word(each.FileSystemArn) || scan.arn('elasticfilesystem', `file-system/${id}`),
        name: word(each.Name) || id,
        config,
        status: word(each.LifeCycleState),
        tags: each.Tags,
        created: seconds(each.CreationTime),
        zone: each.AvailabilityZoneName,
      }
    }
  }
}

export async function* hostedZones(scan: Scan): AsyncGenerator<Found> {
  let marker: string | undefined
  do {
    const query = `?maxitems=100${marker ? `&marker=${encodeURIComponent(marker)}` : ''}`
    const page = await scan.restXml({
      service: 'route53',
      path: `/2013-04-01/hostedzone${query}`,
      lists: ['HostedZone'],
    })
    for (const { CallerReference: _, ...each } of records(record(page.HostedZones).HostedZone)) {
      const id = word(each.Id).replace('/hostedzone/', '')
      yield {
        type: 'AWS::Route53::HostedZone',
        id,
        arn: `arn:aws:route53:::hostedzone/${id}`,
        name: word(each.Name).replace(/\.$/, ''),
        config: each,
      }
    }
    marker = page.IsTruncated === true ? word(page.NextMarker) || undefined : undefined
  } while (marker)
}

export async function* buckets(scan: Scan): AsyncGenerator<Found> {
  const page = await scan.restXml({ service: 's3', path: '/', lists: ['Bucket'] })
  for (const each of records(record(page.Buckets).Bucket)) {
    const name = word(each.Name)
    yield {
      type: 'AWS::S3::Bucket',
      id: name,
      arn: `arn:aws:s3:::${name}`,
      name,
      config: each,
      created: each.CreationDate,
    }
  }
}
