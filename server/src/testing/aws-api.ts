import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkSignature } from './aws-signature.ts'

export const awsKeys = { accessKey: 'AKIAIOSFODNN7EXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' }
export const awsAccount = '123456789012'
export const awsArn = (service: string, rest: string, region = 'eu-west-1'): string =>
  `arn:aws:${service}:${region}:${awsAccount}:${rest}`

/** Answers of the services, by region where it matters. */
const xml: Record<string, (form: URLSearchParams, region: string) => string> = {
  GetCallerIdentity: () =>
    `<GetCallerIdentityResult><Account>${awsAccount}</Account><Arn>${awsArn('iam', 'user/ada')}</Arn></GetCallerIdentityResult>`,
  AssumeRole: () =>
    '<AssumeRoleResult><Credentials><AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>role-secret-key-1</SecretAccessKey><SessionToken>session-token-1</SessionToken></Credentials></AssumeRoleResult>',
  DescribeAvailabilityZones: (_, region) =>
    `<availabilityZoneInfo><item><zoneName>${region}a</zoneName><zoneState>available</zoneState><zoneId>euw1-az1</zoneId></item></availabilityZoneInfo>`,
  DescribeVpcs: () =>
    '<vpcSet><item><vpcId>vpc-1</vpcId><state>available</state><cidrBlock>10.0.0.0/16</cidrBlock><isDefault>true</isDefault><tagSet><item><key>Name</key><value>main</value></item></tagSet></item></vpcSet>',
  DescribeSubnets: () =>
    '<subnetSet><item><subnetId>subnet-1</subnetId><vpcId>vpc-1</vpcId><state>available</state><availabilityZone>eu-west-1a</availabilityZone></item></subnetSet>',
  DescribeInstances: (form) => {
    const instance = (id: string, state: string) =>
      `<item><instancesSet><item><instanceId>${id}</instanceId><imageId>ami-1</imageId><instanceState><code>16</code><name>${state}</name></instanceState><launchTime>2026-01-01T00:00:00.000Z</launchTime><placement><availabilityZone>eu-west-1a</availabilityZone></placement><subnetId>subnet-1</subnetId><vpcId>vpc-1</vpcId><groupSet><item><groupId>sg-1</groupId></item></groupSet><blockDeviceMapping><item><ebs><volumeId>vol-1</volumeId></ebs></item></blockDeviceMapping><tagSet><item><key>Name</key><value>web &amp; api</value></item></tagSet></item></instancesSet></item>`
    return form.get('NextToken') === 'two'
      ? `<reservationSet>${instance('i-2', 'stopped')}</reservationSet>`
      : `<reservationSet>${instance('i-1', 'running')}</reservationSet><nextToken>two</nextToken>`
  },
  DescribeVolumes: () =>
    '<volumeSet><item><volumeId>vol-1</volumeId><status>in-use</status><availabilityZone>eu-west-1a</availabilityZone></item></volumeSet>',
  DescribeSecurityGroups: () =>
    '<securityGroupInfo><item><groupId>sg-1</groupId><groupName>web</groupName><vpcId>vpc-1</vpcId></item></securityGroupInfo>',
  DescribeDBInstances: () =>
    `<DescribeDBInstancesResult><DBInstances><DBInstance><DBInstanceIdentifier>orders</DBInstanceIdentifier><DBInstanceArn>${awsArn('rds', 'db:orders')}</DBInstanceArn><DBInstanceStatus>storage-full</DBInstanceStatus><TagList><Tag><Key>team</Key><Value>blue</Value></Tag></TagList></DBInstance></DBInstances></DescribeDBInstancesResult>`,
  DescribeStacks: () =>
    `<DescribeStacksResult><Stacks><member><StackId>${awsArn('cloudformation', 'stack/net/1')}</StackId><StackName>net</StackName><StackStatus>UPDATE_ROLLBACK_COMPLETE</StackStatus><Parameters><member><ParameterKey>DbPassword</ParameterKey><ParameterValue>hunter2</ParameterValue></member></Parameters></member></Stacks></DescribeStacksResult>`,
  ListRoles: () =>
    `<ListRolesResult><Roles><member><RoleName>deploy</RoleName><Arn>${awsArn('iam', 'role/deploy', '')}</Arn><AssumeRolePolicyDocument>%7B%22Version%22%3A%222012-10-17%22%7D</AssumeRolePolicyDocument></member></Roles><IsTruncated>false</IsTruncated></ListRolesResult>`,
  ListAccountAliases: () =>
    '<ListAccountAliasesResult><AccountAliases><member>acme</member></AccountAliases></ListAccountAliasesResult>',
  ListQueues: (_, region) =>
    `<ListQueuesResult><QueueUrl>https://sqs.${region}.amazonaws.com/${awsAccount}/jobs</QueueUrl></ListQueuesResult>`,
  GetQueueAttributes: (_, region) =>
    `<GetQueueAttributesResult><Attribute><Name>QueueArn</Name><Value>${awsArn('sqs', 'jobs', region)}</Value></Attribute><Attribute><Name>ApproximateNumberOfMessages</Name><Value>7</Value></Attribute></GetQueueAttributesResult>`,
}
const targets: Record<string, (input: Record<string, unknown>, api: AwsApi) => object> = {
  ListClusters: () => ({ clusterArns: [awsArn('ecs', 'cluster/main')] }),
  DescribeClusters: () => ({
    clusters: [
      { clusterArn: awsArn('ecs', 'cluster/main'), clusterName: 'main', status: 'ACTIVE', runningTasksCount: 3 },
    ],
  }),
  ListServices: () => ({ serviceArns: [] }),
  ListTasks: () => ({ taskArns: [] }),
  ListTaskDefinitions: () => ({ taskDefinitionArns: [awsArn('ecs', 'task-definition/web:1')] }),
  DescribeTaskDefinition: () => ({
    taskDefinition: {
      family: 'web',
      revision: 1,
      containerDefinitions: [
        {
          environment: [
            { name: 'DB_PASSWORD', value: 'hunter2' },
            { name: 'MODE', value: 'live' },
          ],
        },
      ],
    },
  }),
  DescribeRepositories: () => ({ repositories: [] }),
  LookupEvents: ({ StartTime }, api) => {
    api.startTimes.push(StartTime as number)
    const event = (EventId: string, EventName: string, name: string, more = {}) => ({
      EventId,
      EventName,
      EventTime: 1_767_225_600,
      Username: 'ada',
      Resources: [{ ResourceType: 'AWS::EC2::Instance', ResourceName: name }],
      CloudTrailEvent: JSON.stringify({ awsRegion: 'eu-west-1', eventID: EventId }),
      ...more,
    })
    return {
      Events: [
        event('e1', 'StopInstances', 'i-2'),
        event('e2', 'AssumeRole', 'i-1'),
        event('e3', 'RunInstances', 'i-unknown'),
      ],
    }
  },
  DescribeComplianceByConfigRule: () => ({
    ComplianceByConfigRules: [{ ConfigRuleName: 'ec2-instance-no-public-ip' }],
  }),
  GetComplianceDetailsByConfigRule: () => ({
    EvaluationResults: [
      {
        Annotation: 'has 1.2.3.4',
        EvaluationResultIdentifier: {
          EvaluationResultQualifier: { ResourceId: 'i-1', ResourceType: 'AWS::EC2::Instance' },
        },
      },
    ],
  }),
  DescribeTrustedAdvisorChecks: () => ({
    checks: [{ id: 'c1', name: 'Low utilization', category: 'cost_optimizing', metadata: ['Region', 'Instance ID'] }],
  }),
  DescribeTrustedAdvisorCheckResult: () => ({
    result: {
      flaggedResources: [
        { status: 'warning', region: 'eu-west-1', metadata: ['eu-west-1a', 'i-2'] },
        { status: 'ok', metadata: ['x', 'i-1'] },
      ],
    },
  }),
  StartQueryExecution: () => ({ QueryExecutionId: 'q1' }),
  GetQueryExecution: () => ({ QueryExecution: { Status: { State: 'SUCCEEDED' } } }),
  GetQueryResults: () => {
    const row = (...cells: (string | number)[]) => ({ Data: cells.map((cell) => ({ VarCharValue: String(cell) })) })
    return {
      ResultSet: {
        Rows: [row('resource', 'h', 'd', 'w', 'm'), row('i-1', 6, 100, 700, 3000), row('AmazonS3', 0, 1, 7, 30)],
      },
    }
  },
}
const rest: Record<string, object | string> = {
  'GET /clusters': { clusters: ['prod'] },
  'GET /clusters/prod': {
    cluster: {
      name: 'prod',
      arn: awsArn('eks', 'cluster/prod'),
      status: 'ACTIVE',
      resourcesVpcConfig: { vpcId: 'vpc-1' },
      tags: { team: 'blue' },
    },
  },
  'GET /clusters/prod/fargate-profiles': { fargateProfileNames: [] },
  'GET /2015-03-31/functions/': {
    Functions: [
      {
        FunctionName: 'resize',
        FunctionArn: awsArn('lambda', 'function:resize'),
        State: 'Active',
        Environment: { Variables: { API_KEY: 'hunter2', MODE: 'live' } },
      },
    ],
  },
  'GET /2015-02-01/file-systems': { FileSystems: [] },
  'GET /2013-04-01/hostedzone':
    '<?xml version="1.0"?><ListHostedZonesResponse><HostedZones><HostedZone><Id>/hostedzone/Z1</Id><Name>example.com.</Name></HostedZone></HostedZones><IsTruncated>false</IsTruncated></ListHostedZonesResponse>',
  'GET /':
    '<?xml version="1.0"?><ListAllMyBucketsResult><Buckets><Bucket><Name>backups</Name><CreationDate>2025-01-01T00:00:00Z</CreationDate></Bucket></Buckets></ListAllMyBucketsResult>',
  'POST /findings/list': {
    findings: [
      {
        title: 'CVE-2026-1 - openssl',
        severity: 'HIGH',
        description: 'bad',
        packageVulnerabilityDetails: { vulnerabilityId: 'CVE-2026-1' },
        resources: [{ id: 'i-1', type: 'AWS_EC2_INSTANCE', region: 'eu-west-1' }],
      },
    ],
  },
}

/** A server that checks signatures as AWS does and answers in its three protocols: query, JSON and REST. */
export class AwsApi {
  /** Actions that are refused. */
  denied: string[] = []
  /** So many calls of DescribeVpcs are answered with "too many". */
  busy = 0
  /** `service region action version` of every call. */
  readonly seen: string[] = []
  /** From when CloudTrail was asked. */
  startTimes: number[] = []
  url = ''
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => this.answer(request, response, Buffer.concat(chunks).toString()))
  })

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
    return this
  }

  close(): void {
    this.server.closeAllConnections()
    this.server.close()
  }

  reset(): void {
    this.denied = []
    this.busy = 0
    this.seen.length = 0
    this.startTimes = []
  }

  private answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const isRole = request.headers['x-amz-security-token'] === 'session-token-1'
    const signed = checkSignature(request, body, isRole ? 'role-secret-key-1' : awsKeys.secretKey)
    const refuse = (code: string, message: string, status = 403) =>
      void response
        .writeHead(status)
        .end(`<ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`)
    if (typeof signed === 'string') return refuse('SignatureDoesNotMatch', signed)
    if (signed.accessKey !== (isRole ? 'ASIAROLE' : awsKeys.accessKey)) return refuse('InvalidClientTokenId', 'who?')
    const { region, service } = signed
    const target = String(request.headers['x-amz-target'] ?? '')
      .split('.')
      .at(-1)!
    const form = new URLSearchParams(body)
    const action = target || form.get('Action') || `${request.method} ${request.url!.split('?')[0]}`
    this.seen.push(`${service} ${region} ${action}${form.get('Version') ? ` ${form.get('Version')}` : ''}`)
    if (this.busy > 0 && action === 'DescribeVpcs') {
      this.busy--
      return refuse('RequestLimitExceeded', 'Request limit exceeded.', 503)
    }
    if (this.denied.includes(action)) {
      if (target)
        return json(
          response,
          { __type: 'x#AccessDeniedException', message: `not authorized to perform ${action}` },
          400,
        )
      return refuse('UnauthorizedOperation', `not authorized to perform ${action}`)
    }
    if (target) {
      const found = targets[target]?.(JSON.parse(body) as Record<string, unknown>, this)
      return found ? json(response, found) : json(response, { __type: 'UnknownOperationException' }, 400)
    }
    if (form.get('Action')) {
      const name = form.get('Action')!
      return void response.end(
        `<?xml version="1.0"?><${name}Response>${xml[name]?.(form, region) ?? ''}</${name}Response>`,
      )
    }
    const found = rest[action]
    if (typeof found === 'string') return void response.end(found)
    return found ? json(response, found) : json(response, { message: `nothing at ${action}` }, 404)
  }
}

const json = (response: ServerResponse, value: unknown, code = 200): void =>
  void response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(value))
