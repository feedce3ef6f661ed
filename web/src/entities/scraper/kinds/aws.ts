import { duration, list, many, section, text, toggle } from '@/ui/form/declare.ts'
import { awsConnection, itemDetails, type ScraperKind, startWith, transform } from './kind.ts'

// Written down here because the contract's list comes with the schema library.
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
    toggle('trustedAdvisor', { label: 'Trusted Advisor', hint: 'Its checks become insights' }),
    toggle('inspector', { hint: 'Its findings become insights' }),
    section(
      'CloudTrail',
      [
        list('cloudtrail.exclude', { label: 'Exclude', itemLabel: 'Event name', placeholder: 'AssumeRole' }),
        duration('cloudtrail.maxAge', { label: 'Max age', placeholder: '7d' }),
      ],
      { collapsed: true },
    ),
    section(
      'Cost reporting',
      [
        text('costReporting.s3BucketPath', { label: 'S3 bucket path', placeholder: 's3://bucket/athena' }),
        text('costReporting.table', { label: 'Table' }),
        text('costReporting.database', { label: 'Database' }),
        text('costReporting.region', { label: 'Region' }),
      ],
      { collapsed: true },
    ),
    transform,
    itemDetails,
  ],
  start: startWith('aws', { region: [] }),
}
