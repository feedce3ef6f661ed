import { expect, test } from 'vitest'
import { awsUrl } from './aws-calls.ts'

test('services are where AWS has them', () => {
  const access = { accessKey: 'a', secretKey: 'b', region: 'eu-west-1', properties: {} }
  const at = (service: string, path?: string, more = {}) => awsUrl({ ...access, ...more }, service, path).href
  expect(at('ec2')).toBe('https://ec2.eu-west-1.amazonaws.com/')
  expect(at('ecr')).toBe('https://api.ecr.eu-west-1.amazonaws.com/')
  expect(at('iam')).toBe('https://iam.amazonaws.com/')
  expect(at('route53', '/2013-04-01/hostedzone?maxitems=100')).toBe(
    'https://route53.amazonaws.com/2013-04-01/hostedzone?maxitems=100',
  )
  expect(at('eks', '/clusters/a%20b')).toBe('https://eks.eu-west-1.amazonaws.com/clusters/a%20b')
  expect(at('sqs', '/', { region: 'cn-north-1' })).toBe('https://sqs.cn-north-1.amazonaws.com.cn/')
  expect(at('ec2', '/', { endpoint: 'http://localhost:4566' })).toBe('http://localhost:4566/')
})
