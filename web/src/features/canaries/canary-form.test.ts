import { describe, expect, test } from 'vitest'
import { placedFields } from '@/ui/form/placed-fields.ts'
import { checksOf, followingName, startValues, withoutEmptyFields } from './canary-form.ts'
import { kinds } from './kinds/all.ts'
import { authMode, responseCodeChoices } from './kinds/http-fields.tsx'

const kindOf = (label: string) => kinds.find((kind) => kind.label === label)!
const fieldsOf = (label: string) =>
  placedFields(kindOf(label).fields!, '').flatMap(function flat(field): string[] {
    return field.kind === 'section' ? field.fields.flatMap(flat) : [field.name.slice(1)]
  })

describe('kinds', () => {
  test('[SETG-11] the picker offers them by label', () => {
    expect(kinds.map((kind) => kind.label)).toEqual([
      'Alert Manager',
      'AWS Config',
      'AWS Config Rule',
      'AWS S3',
      'Azure DevOps',
      'Cloud Watch',
      'Custom',
      'DNS',
      'Dynatrace',
      'EC2',
      'Elasticsearch',
      'Exec',
      'Folder',
      'GCS',
      'GitHub',
      'HTTP',
      'ICMP Ping',
      'JMeter',
      'JUnit',
      'Kubernetes',
      'Kubernetes Namespace',
      'LDAP',
      'Mission Control Catalog',
      'Mongo DB',
      'Pod',
      'Prometheus',
      'Redis',
      'SFTP',
      'SMB',
      'SQL Query',
      'TCP',
    ])
  })

  test('[SETG-12] these have forms', () => {
    expect(kinds.filter((kind) => kind.fields).map((kind) => kind.label)).toEqual([
      'Alert Manager',
      'Elasticsearch',
      'Exec',
      'Folder',
      'HTTP',
      'ICMP Ping',
      'Mongo DB',
      'Redis',
      'TCP',
    ])
  })

  test('[SETG-13] [SETG-14] the fields of http', () => {
    expect(fieldsOf('HTTP')).toEqual(
      expect.arrayContaining(
        'url method body headers authentication responseCodes thresholdMillis responseContent maxSSLExpiry test display transform'.split(
          ' ',
        ),
      ),
    )
    const methods = kindOf('HTTP').fields!.flatMap((field) => ('options' in field ? field.options : []))
    expect(methods.map((option) => option.value)).toEqual(['GET', 'POST', 'PUT', 'DELETE'])
    expect(responseCodeChoices).toEqual([200, 201, 202, 204, 301, 302, 401, 404, 500, 502, 503])
    expect([{}, { username: 'a' }, { ntlm: true }, { ntlmv2: true }].map(authMode)).toEqual([
      'none',
      'basic',
      'ntlm',
      'ntlmv2',
    ])
  })

  test.each([
    ['[SETG-15]', 'Elasticsearch', 'url index query results username password'],
    ['[SETG-16]', 'Exec', 'script'],
    ['[SETG-17]', 'Redis', 'addr db'],
    ['[SETG-18]', 'ICMP Ping', 'endpoint packetCount packetLossThreshold thresholdMillis'],
    [
      '[SETG-19]',
      'Folder',
      'path minAge maxAge minCount maxCount minSize maxSize filter.regex awsConnection.connection gcpConnection.connection sftpConnection.connection smbConnection.connection',
    ],
  ])('%s the fields of %s', (_row, label, names) => {
    expect(fieldsOf(label)).toEqual(expect.arrayContaining(names.split(' ')))
  })

  test('every start is a spec with one check of its kind, but for Custom', () => {
    for (const kind of kinds) {
      const places = checksOf(startValues(kind).spec)
      expect(places.map((place) => place.key)).toEqual(kind.key ? [kind.key] : [])
    }
  })
})

describe('what is saved', () => {
  const values = (check: object, more: object = {}) => ({
    name: 'shop',
    namespace: 'default',
    labels: {},
    spec: { schedule: '@every 1m', http: [{ name: 'a', url: 'http://x', ...check }], ...more },
  })

  test('leaves out fields that were left empty', () => {
    const saved = withoutEmptyFields(values({ body: '', method: undefined, responseCodes: [], labels: {}, test: {} }))
    expect(saved.spec).toEqual({ schedule: '@every 1m', http: [{ name: 'a', url: 'http://x' }] })
  })

  test('keeps what the form does not know, empty or not', () => {
    const unknown = { templateBody: false, env: [], oauth2: { scope: ['a'] }, mine: '' }
    const more = { dns: [{ name: 'd', query: '' }], env: {} }
    const saved = withoutEmptyFields(values(unknown, more))
    expect(saved.spec).toEqual({ schedule: '@every 1m', http: [{ name: 'a', url: 'http://x', ...unknown }], ...more })
  })

  test('takes away what stood around an empty field, and nothing else', () => {
    const spec = {
      folder: [
        { name: 'f', path: '/x', recursive: false, filter: { regex: '' }, smbConnection: { host: '', port: 445 } },
      ],
    }
    expect(withoutEmptyFields({ name: 's', namespace: 'n', labels: {}, spec }).spec).toEqual({
      folder: [{ name: 'f', path: '/x', recursive: false, smbConnection: { port: 445 } }],
    })
  })
})

test('the only check follows the name of its canary until it has its own', () => {
  expect(followingName({ http: [{ name: '' }] }, '')).toBe('spec.http.0.name')
  expect(followingName({ http: [{ name: 'sho' }] }, 'sho')).toBe('spec.http.0.name')
  expect(followingName({ http: [{ name: 'own' }] }, 'sho')).toBeUndefined()
  expect(followingName({ http: [{ name: '' }], dns: [{ name: '' }] }, '')).toBeUndefined()
})
