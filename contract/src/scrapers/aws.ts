import { z } from 'zod'
import { DurationText } from '../documents.ts'
import { connected, extraction, SecretText } from './common.ts'

/** Names of `include` and `exclude`, in the case people know them in; they are compared without it. */
export const awsIncludes = [
  'Account',
  'cloudformation',
  'DHCP',
  'DNSZone',
  'EBS',
  'EC2instance',
  'ECR',
  'ecs',
  'ECSService',
  'ECSTask',
  'ECSTaskDefinition',
  'EFS',
  'EKS',
  'ElastiCache',
  'FargateProfile',
  'Images',
  'lambda',
  'LoadBalancer',
  'Profiles',
  'RDS',
  'Roles',
  'Route',
  'S3Bucket',
  'SecurityGroup',
  'sns',
  'sqs',
  'subnet',
  'User',
  'VPC',
] as const

export const AwsScraper = z.looseObject({
  ...extraction,
  ...connected,
  region: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('One or several regions; that of the connection unless given'),
  accessKey: SecretText.optional(),
  secretKey: SecretText.optional(),
  sessionToken: SecretText.optional(),
  assumeRole: z.string().optional().describe('ARN of a role that is taken on first'),
  endpoint: z.string().optional().describe('Instead of those of AWS, for services that speak like it'),
  skipTLSVerify: z.boolean().optional(),
  include: z
    .array(z.string())
    .optional()
    .describe(`Only these: ${awsIncludes.join(', ')}. All but ECSTaskDefinition unless given`),
  exclude: z.array(z.string()).optional().describe('All but these'),
  compliance: z.boolean().optional().describe('Results of AWS Config rules become insights'),
  trustedAdvisor: z.boolean().optional().describe('Checks of Trusted Advisor become insights; needs a support plan'),
  inspector: z.boolean().optional().describe('Findings of Inspector become insights'),
  cloudtrail: z
    .looseObject({
      exclude: z.array(z.string()).optional().describe('Event names that are left out, AssumeRole unless given'),
      maxAge: DurationText.optional().describe('How far back the first scrape looks, 7d unless given'),
      max_age: DurationText.optional().describe('Another spelling of maxAge'),
    })
    .optional()
    .describe('Events of CloudTrail become changes'),
  costReporting: z
    .looseObject({
      s3BucketPath: z.string().optional().describe('s3:// path for the answers of Athena'),
      table: z.string().optional().describe('Table of the cost and usage report'),
      database: z.string().optional(),
      region: z.string().optional().describe('Region of the report'),
    })
    .optional()
    .describe('Costs from the cost and usage report, asked through Athena'),
})
export type AwsScraper = z.infer<typeof AwsScraper>
