import { record, records, word } from '../../../../platform/kubernetes/object.ts'
import { type Found, pagesOf, query, type Raw, refOf, type Scan } from './scan.ts'

const version = '2016-11-15'

/** All of a list of EC2. */
async function* described(
  scan: Scan,
  action: string,
  field: string,
  parameters: Record<string, string> = {},
): AsyncGenerator<Raw> {
  const ask = query({ service: 'ec2', action, version, parameters })
  for await (const page of pagesOf((token) => ask(scan, token))) yield* records(page[field])
}

export async function* instances(scan: Scan): AsyncGenerator<Found> {
  for await (const reservation of described(scan, 'DescribeInstances', 'ReservationSet')) {
    for (const each of records(reservation.InstancesSet)) {
      const { UserData: _, ...config } = each
      const id = word(each.InstanceId)
      yield {
        type: 'AWS::EC2::Instance',
        id,
        arn: scan.arn('ec2', `instance/${id}`),
        config,
        status: word(record(each.InstanceState).Name),
        tags: each.Tags,
        created: each.LaunchTime,
        zone: record(each.Placement).AvailabilityZone,
        vpc: each.VpcId,
        subnet: each.SubnetId,
        related: [
          ...records(each.GroupSet).map(({ GroupId }) => ({
            to: refOf('AWS::EC2::SecurityGroup', GroupId),
            relation: 'SecurityGroupInstance',
          })),
          ...records(each.BlockDeviceMapping).map(({ Ebs }) => ({
            to: refOf('AWS::EC2::Volume', record(Ebs).VolumeId),
            relation: 'VolumeInstance',
          })),
          { to: refOf('AWS::EC2::Image', each.ImageId), relation: 'ImageInstance' },
        ],
      }
    }
  }
}

interface Simple {
  action: string
  field: string
  type: string
  id: string
  arn: string
  parameters?: Record<string, string>
  more?: (each: Raw) => Partial<Found>
}

/** Lists whose entries say all there is to know. */
const simple = (options: Simple) =>
  async function* (scan: Scan): AsyncGenerator<Found> {
    const { action, field, type, arn, parameters, more } = options
    for await (const each of described(scan, action, field, parameters)) {
      const id = word(each[options.id])
      yield { type, id, arn: scan.arn('ec2', `${arn}/${id}`), config: each, tags: each.Tags, ...more?.(each) }
    }
  }

export const volumes = simple({
  action: 'DescribeVolumes',
  field: 'VolumeSet',
  type: 'AWS::EC2::Volume',
  id: 'VolumeId',
  arn: 'volume',
  more: (each) => ({ status: word(each.Status), zone: each.AvailabilityZone, created: each.CreateTime }),
})
export const vpcs = simple({
  action: 'DescribeVpcs',
  field: 'VpcSet',
  type: 'AWS::EC2::VPC',
  id: 'VpcId',
  arn: 'vpc',
  more: (each) => ({
    status: word(each.State),
    related: [{ to: refOf('AWS::EC2::DHCPOptions', each.DhcpOptionsId), relation: 'VPCDHCPOptions' }],
  }),
})
export const subnets = simple({
  action: 'DescribeSubnets',
  field: 'SubnetSet',
  type: 'AWS::EC2::Subnet',
  id: 'SubnetId',
  arn: 'subnet',
  more: (each) => ({ status: word(each.State), vpc: each.VpcId, zone: each.AvailabilityZone }),
})
export const securityGroups = simple({
  action: 'DescribeSecurityGroups',
  field: 'SecurityGroupInfo',
  type: 'AWS::EC2::SecurityGroup',
  id: 'GroupId',
  arn: 'security-group',
  more: (each) => ({ name: word(each.GroupName), vpc: each.VpcId }),
})
export const routeTables = simple({
  action: 'DescribeRouteTables',
  field: 'RouteTableSet',
  type: 'AWS::EC2::RouteTable',
  id: 'RouteTableId',
  arn: 'route-table',
  more: (each) => ({
    vpc: each.VpcId,
    related: records(each.AssociationSet).map(({ SubnetId }) => ({
      to: refOf('AWS::EC2::Subnet', SubnetId),
      relation: 'RouteTableSubnet',
    })),
  }),
})
export const dhcpOptions = simple({
  action: 'DescribeDhcpOptions',
  field: 'DhcpOptionsSet',
  type: 'AWS::EC2::DHCPOptions',
  id: 'DhcpOptionsId',
  arn: 'dhcp-options',
})
/** Only those of the account: there are a hundred thousand others. */
export const images = simple({
  action: 'DescribeImages',
  field: 'ImagesSet',
  type: 'AWS::EC2::Image',
  id: 'ImageId',
  arn: 'image',
  parameters: { 'Owner.1': 'self' },
  more: (each) => ({ name: word(each.Name), status: word(each.ImageState), created: each.CreationDate }),
})

export async function zones(scan: Scan): Promise<Raw[]> {
  const answer = await scan.xml({ service: 'ec2', action: 'DescribeAvailabilityZones', version })
  return records(answer.AvailabilityZoneInfo)
}
