import { expect, test } from 'vitest'
import { fargateProfiles, fileSystems, functions, hostedZones, repositories } from './containers.ts'
import type { Found, Raw, Scan } from './scan.ts'
import { Scan as RealScan } from './scan.ts'
import { caches, loadBalancers, profiles, topics, users } from './services.ts'

/** A service that gives `answers` one by one, and remembers what it was asked. */
async function read(list: (scan: Scan) => AsyncGenerator<Found>, answers: Raw[]) {
  const asked: string[] = []
  const scan = Object.create(RealScan.prototype) as Scan
  const next = async (call: object) => {
    asked.push(JSON.stringify(call))
    return answers[asked.length - 1] ?? {}
  }
  Object.assign(scan, {
    xml: next,
    rest: next,
    restXml: next,
    json: (service: string, target: string, input: object) => next({ service, target, input }),
    arn: (service: string, resource: string) => `arn:aws:${service}:eu-west-1:1:${resource}`,
  })
  const found: Found[] = []
  for await (const each of list(scan)) found.push(each)
  return { found, asked }
}

test('a path is asked again with the token of the page before, whatever is in it', async () => {
  const { found, asked } = await read(functions, [
    { Functions: [{ FunctionArn: 'a', FunctionName: 'one' }], NextMarker: 'x/y+z=' },
    { Functions: [{ FunctionArn: 'b', FunctionName: 'two', State: 'Failed', Role: 'r' }] },
  ])
  expect(found.map(({ id, name, status }) => [id, name, status])).toEqual([
    ['a', 'one', 'Active'],
    ['b', 'two', 'Failed'],
  ])
  expect(asked[1]).toContain('/functions/?MaxItems=50&Marker=x%2Fy%2Bz%3D')
  const files = await read(fileSystems, [
    { FileSystems: [{ FileSystemId: 'fs-1', SizeInBytes: { Value: 1 } }], NextMarker: 'm' },
    { FileSystems: [{ FileSystemId: 'fs-2', Name: 'home', FileSystemArn: 'arn' }] },
  ])
  expect(files.found.map(({ id, arn, name, config }) => [id, arn, name, 'SizeInBytes' in config])).toEqual([
    ['fs-1', 'arn:aws:elasticfilesystem:eu-west-1:1:file-system/fs-1', 'fs-1', false],
    ['fs-2', 'arn', 'home', false],
  ])
})

test('zones go on only while the list is said to be cut off', async () => {
  const zone = (id: string) => ({ HostedZones: { HostedZone: [{ Id: `/hostedzone/${id}`, Name: `${id}.com.` }] } })
  const { found, asked } = await read(hostedZones, [
    { ...zone('a'), IsTruncated: true, NextMarker: 'b' },
    { ...zone('b'), IsTruncated: false, NextMarker: 'c' },
  ])
  expect(found.map(({ name, arn }) => [name, arn])).toEqual([
    ['a.com', 'arn:aws:route53:::hostedzone/a'],
    ['b.com', 'arn:aws:route53:::hostedzone/b'],
  ])
  expect(asked).toHaveLength(2)
  expect(asked[1]).toContain('?maxitems=100&marker=b')
})

test('services that speak JSON or forms get the token beside the rest', async () => {
  const images = await read(repositories, [
    { repositories: [{ repositoryArn: 'r1', repositoryName: 'web', createdAt: 1 }], nextToken: 't' },
    { repositories: [{ repositoryArn: 'r2', repositoryName: 'api' }] },
  ])
  expect(images.found.map(({ id, name, created }) => [id, name, created])).toEqual([
    ['r1', 'web', '1970-01-01T00:00:01.000Z'],
    ['r2', 'api', undefined],
  ])
  expect(images.asked[1]).toContain('"input":{"maxResults":1000,"nextToken":"t"}')
  const people = await read(users, [
    { Users: [{ Arn: 'u1', UserName: 'ada', PasswordLastUsed: 'today', CreateDate: 'then' }], Marker: 'm' },
    { Users: [{ Arn: 'u2', UserName: 'bob', Tags: [{ Key: 'a', Value: 'b' }] }] },
  ])
  expect(people.found.map(({ id, name, created, config }) => [id, name, created, Object.keys(config)])).toEqual([
    ['u1', 'ada', 'then', ['Arn', 'UserName', 'CreateDate']],
    ['u2', 'bob', undefined, ['Arn', 'UserName', 'Tags']],
  ])
  expect(people.asked[1]).toContain('"parameters":{"Marker":"m"}')
})

test('both generations of load balancers are read', async () => {
  const { found, asked } = await read(loadBalancers, [
    { LoadBalancers: [{ LoadBalancerArn: 'lb', LoadBalancerName: 'new', SecurityGroups: ['sg-1'] }], NextMarker: 'm' },
    {},
    { LoadBalancerDescriptions: [{ LoadBalancerName: 'old', Instances: [{ InstanceId: 'i-1' }] }] },
  ])
  expect(found.map(({ id, name, related }) => [id, name, related?.map(({ relation }) => relation)])).toEqual([
    ['lb', 'new', ['SecurityGroupLoadBalancer']],
    ['arn:aws:elasticloadbalancing:eu-west-1:1:loadbalancer/old', 'old', ['LoadBalancerInstance']],
  ])
  expect(asked.map((call) => (JSON.parse(call) as { version: string }).version)).toEqual([
    '2015-12-01',
    '2015-12-01',
    '2012-06-01',
  ])
})

test('what has no ARN gets one, and several zones are none', async () => {
  const { found } = await read(caches, [
    { CacheClusters: { CacheCluster: [{ CacheClusterId: 'c', PreferredAvailabilityZone: 'Multiple' }] } },
  ])
  expect(found).toMatchObject([{ id: 'arn:aws:elasticache:eu-west-1:1:cluster:c', name: 'c', zone: '' }])
  expect((await read(topics, [{ Topics: [{ TopicArn: 'arn:aws:sns:eu-west-1:1:alerts' }] }])).found).toMatchObject([
    { name: 'alerts', config: { TopicArn: 'arn:aws:sns:eu-west-1:1:alerts' } },
  ])
  expect((await read(profiles, [{ InstanceProfiles: [{ Arn: 'p', Roles: [{ Arn: 'r' }] }] }])).found[0]).toMatchObject({
    id: 'p',
    related: [{ to: { externalId: 'r', type: 'AWS::IAM::Role' }, relation: 'InstanceProfileRole' }],
  })
  const fargate = await read(fargateProfiles, [
    { clusters: ['prod'] },
    { fargateProfileNames: ['web'], nextToken: 't' },
    { fargateProfileNames: [] },
    { fargateProfile: { fargateProfileArn: 'f', status: 'ACTIVE' } },
  ])
  expect(fargate.asked[2]).toContain('/clusters/prod/fargate-profiles?nextToken=t')
  expect(fargate.found).toMatchObject([{ id: 'f', name: 'web', status: 'ACTIVE' }])
})
