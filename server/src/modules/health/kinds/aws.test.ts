import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signAws } from '../../../platform/cloud/aws-sigv4.ts'
import { awsConfig, awsConfigRule, cloudwatch } from './aws-kinds.ts'
import { folder } from './folder.ts'
import { s3 } from './s3.ts'
import { fakeServer, json, runOne } from './testing.ts'

const keys = { accessKey: 'AKIAIOSFODNN7EXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' }
const signatureIn = (headers: Record<string, string>) => headers.authorization!.split('Signature=')[1]

describe('Signature Version 4, by the examples AWS publishes', () => {
  test('GET of an object of S3', () => {
    const headers = signAws(
      {
        method: 'GET',
        url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
        headers: { Range: 'bytes=0-9' },
        service: 's3',
        region: 'us-east-1',
        now: new Date('2013-05-24T00:00:00Z'),
      },
      keys,
    )
    expect(signatureIn(headers)).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41')
  })
  test('PUT of an object with a name to be encoded', () => {
    const headers = signAws(
      {
        method: 'PUT',
        url: new URL('https://examplebucket.s3.amazonaws.com/test$file.text'),
        headers: { Date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
        body: 'Welcome to Amazon S3.',
        service: 's3',
        region: 'us-east-1',
        now: new Date('2013-05-24T00:00:00Z'),
      },
      keys,
    )
    expect(signatureIn(headers)).toBe('98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd')
  })
  test('a query of IAM', () => {
    const headers = signAws(
      {
        method: 'GET',
        url: new URL('https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08'),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' },
        service: 'iam',
        region: 'us-east-1',
        now: new Date('2015-08-30T12:36:00Z'),
      },
      { accessKey: 'AKIDEXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
    )
    expect(signatureIn(headers)).toBe('5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7')
  })
})

describe('services', () => {
  let fake: Awaited<ReturnType<typeof fakeServer>>
  const alarm = (name: string, state: string) =>
    `<member><AlarmName>${name}</AlarmName><StateValue>${state}</StateValue></member>`
  let alarms = ''
  const objects = new Map<string, string>()
  beforeAll(async () => {
    fake = await fakeServer((request, response, body) => {
      const target = String(request.headers['x-amz-target'] ?? '').split('.')[1]
      if (!request.headers.authorization?.includes('Credential=AKIAIOSFODNN7EXAMPLE/'))
        return response.writeHead(403).end('<Error><Code>InvalidAccessKeyId</Code><Message>who?</Message></Error>')
      if (request.headers['x-amz-content-sha256'])
        return store(request.method!, new URL(request.url!, 'http://x'), body, response)
      if (body.startsWith('Action=DescribeAlarms'))
        return response.end(
          `<DescribeAlarmsResponse><DescribeAlarmsResult><MetricAlarms>${alarms}</MetricAlarms></DescribeAlarmsResult></DescribeAlarmsResponse>`,
        )
      if (target === 'SelectResourceConfig') return json(response, { Results: ['{"resourceId":"i-1"}'] })
      if (target === 'DescribeComplianceByConfigRule')
        return json(response, {
          ComplianceByConfigRules: [
            { ConfigRuleName: 'open-ports', Compliance: { ComplianceType: 'NON_COMPLIANT' } },
            { ConfigRuleName: 'fine', Compliance: { ComplianceType: 'COMPLIANT' } },
          ],
        })
      if (target === 'DescribeConfigRules')
        return json(response, { ConfigRules: [{ ConfigRuleName: 'open-ports', Description: 'no open ports' }] })
      if (target === 'GetComplianceDetailsByConfigRule')
        return json(response, {
          EvaluationResults: [
            {
              Annotation: 'port 22',
              ResultRecordedTime: 1_767_225_600,
              EvaluationResultIdentifier: {
                EvaluationResultQualifier: { ResourceId: 'sg-1', ResourceType: 'AWS::EC2::SecurityGroup' },
              },
            },
          ],
        })
      return json(response, { __type: 'x#ValidationException', message: 'no such action' }, 400)
    })
  })
  afterAll(() => fake.close())
  function store(method: string, url: URL, body: string, response: ServerResponse) {
    if (method === 'PUT') {
      objects.set(url.pathname, body)
      return response.end()
    }
    if (method === 'DELETE') {
      objects.delete(url.pathname)
      return response.writeHead(204).end()
    }
    if (url.searchParams.has('list-type')) {
      const keysIn = [...objects.keys()].map((path) => path.split('/').slice(2).join('/')).sort()
      const start = Number(url.searchParams.get('continuation-token') ?? 0)
      const page = keysIn
        .slice(start, start + 2)
        .map(
          (key) =>
            `<Contents><Key>${key}</Key><Size>3</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>`,
        )
      const more = start + 2 < keysIn.length
      return response.end(
        `<ListBucketResult><IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>${start + 2}</NextContinuationToken>` : ''}${page.join('')}</ListBucketResult>`,
      )
    }
    return response.end(corrupt ? 'else' : objects.get(url.pathname))
  }
  let corrupt = false
  const raw = () => ({ ...keys, endpoint: fake.url, region: 'eu-west-1' })

  test('cloudwatch names the alarms', async () => {
    alarms = alarm('cpu', 'ALARM') + alarm('disk', 'OK')
    expect(await runOne(cloudwatch as never, { ...raw(), alarms: ['cpu'] })).toMatchObject({
      pass: false,
      error: 'in state ALARM: cpu',
      detail: { MetricAlarms: [{ AlarmName: 'cpu' }, {}] },
    })
    expect(fake.seen.at(-1)!.body).toContain('AlarmNames.member.1=cpu')
    alarms = alarm('disk', 'OK')
    expect(await runOne(cloudwatch as never, raw())).toMatchObject({ pass: true })
    expect((await runOne(cloudwatch as never, { ...raw(), accessKey: 'NOBODY' })).error).toBe(
      'DescribeAlarms: code 403, InvalidAccessKeyId, who?',
    )
    expect(await runOne(cloudwatch as never, { endpoint: fake.url })).toMatchObject({ invalid: true })
  })
  test('awsConfig gives rows, awsConfigRule names offenders unless there is a test', async () => {
    expect(
      await runOne(awsConfig as never, {
        ...raw(),
        query: 'select 1',
        test: { expr: "results[0].resourceId == 'i-1'" },
      }),
    ).toMatchObject({ pass: true, error: null })
    const bad = await runOne(awsConfigRule as never, raw())
    expect(bad).toMatchObject({
      pass: false,
      error: 'not compliant: open-ports',
      detail: {
        rules: [
          {
            rule: 'open-ports',
            description: 'no open ports',
            annotation: 'port 22',
            type: 'NON_COMPLIANT',
            resources: [{ id: 'sg-1' }],
          },
        ],
      },
    })
    expect(await runOne(awsConfigRule as never, { ...raw(), ignoreRules: ['open-ports'] })).toMatchObject({
      pass: true,
    })
    expect(
      await runOne(awsConfigRule as never, { ...raw(), test: { expr: 'results.rules.size() == 1' } }),
    ).toMatchObject({ pass: true })
  })
  test('s3 writes, reads back, compares and cleans up', async () => {
    const spec = { ...raw(), bucketName: 'b', usePathStyle: true }
    expect(await runOne(s3 as never, spec)).toMatchObject({ pass: true, error: null })
    expect(objects.size).toBe(0)
    const put = fake.seen.find(({ method }) => method === 'PUT')!
    expect(put.body).toMatch(/^[0-9a-f]{16}$/)
    expect(put.headers['x-amz-content-sha256']).toBe(createHash('sha256').update(put.body).digest('hex'))
    corrupt = true
    expect((await runOne(s3 as never, spec)).error).toContain('other content than was written')
    corrupt = false
  })
  test('a listing is read page by page', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) objects.set(`/b/${name}`, 'xxx')
    const awsConnection = { ...raw(), usePathStyle: true }
    expect(await runOne(folder as never, { path: 's3://b', awsConnection, minCount: 5 })).toMatchObject({
      pass: true,
      error: null,
      detail: { size: 15 },
    })
  })
})
