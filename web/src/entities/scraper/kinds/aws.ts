import { list, many, section, text, toggle } from '@/ui/form/declare.ts'
import { awsConnection, itemDetails, type ScraperKind, startWith, transform } from './kind.ts'

const parts =
  'Account cloudformation DHCP DNSZone EBS EC2instance ECR ecs ECSService ECSTask ECSTaskDefinition EFS EKS ElastiCache ' +
  'FargateProfile Images lambda LoadBalancer Profiles RDS Roles Route S3Bucket SecurityGroup sns sqs subnet User VPC'

export const aws: ScraperKind = {
  key: 'aws',
  label: 'AWS',
  icon: 'aws',
  about: 'Resources of an account, its audit trail, findings and costs',
  fields: [
    ...awsConnection,
    many('include', parts.split(' '), { creatable: true, hint: 'All but task definitions when empty' }),
    many('exclude', parts.split(' '), { creatable: true }),
    toggle('compliance', { hint: 'Results of AWS Config rules become insights' }),
    section(
      'CloudTrail',
      [
        list('cloudtrail.exclude', { label: 'Exclude', itemLabel: 'Event name', placeholder: 'AssumeRole' }),
        text('cloudtrail.max_age', { label: 'Max age', placeholder: '7d' }),
      ],
      { collapsed: true },
    ),
    section(
      'Cost reporting',
      [
        text('cost_reporting.s3_bucket_path', { label: 'S3 bucket path', placeholder: 's3://bucket/athena' }),
        text('cost_reporting.table', { label: 'Table' }),
        text('cost_reporting.database', { label: 'Database' }),
        text('cost_reporting.region', { label: 'Region' }),
      ],
      { collapsed: true },
    ),
    transform,
    itemDetails,
  ],
  start: startWith('aws', { region: [] }),
}
