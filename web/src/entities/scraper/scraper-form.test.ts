import { scraperSchemas } from '@quarterdeck/contract/scrapers/index'
import { ScraperSpec } from '@quarterdeck/contract/scrapers/scraper-spec'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { FieldSpec } from '@/ui/form/declare.ts'
import { kinds } from './kinds/all.ts'
import { retention } from './kinds/kind.ts'
import { iconOfSpec, kindLabels, sourcesOf, startValues, withoutEmptyFields } from './scraper-form.ts'

const kindOf = (key: string) => kinds.find((kind) => kind.key === key)!
const flat = (fields: readonly FieldSpec[]): Exclude<FieldSpec, { kind: 'section' }>[] =>
  fields.flatMap((field) => (field.kind === 'section' ? flat(field.fields) : [field]))
const names = (key: string) => flat(kindOf(key).fields!).map((field) => field.name)
const required = (key: string) =>
  flat(kindOf(key).fields ?? [])
    .filter((field) => field.required)
    .map((field) => field.name)

interface Json {
  properties?: Record<string, Json>
  anyOf?: Json[]
}
const isDeclared = (schema: object, [first, ...rest]: string[]): boolean => {
  const { properties, anyOf } = schema as Json
  if (anyOf) return anyOf.some((each) => isDeclared(each, [first!, ...rest]))
  const inner = properties?.[first!]
  return inner !== undefined && (rest.length === 0 || isDeclared(inner, rest))
}

describe('kinds', () => {
  test('[SCR-04] every kind can be added, by label', () => {
    const keys = kinds.map((kind) => kind.key)
    expect(keys).toEqual(
      expect.arrayContaining(
        'kubernetes azure kubernetesFile sql trivy aws file githubActions http azureDevops custom'.split(' '),
      ),
    )
    expect(keys).toEqual(expect.arrayContaining(Object.keys(scraperSchemas)))
    const labels = kinds.map((kind) => kind.label)
    expect(labels).toEqual(labels.toSorted((a, b) => a.localeCompare(b, 'en')))
  })

  test('every field of a form is one of the schema of its kind', () => {
    for (const kind of kinds) {
      const known: { schema: z.ZodType } | undefined = scraperSchemas[kind.key as keyof typeof scraperSchemas]
      if (!known) continue
      const json = z.toJSONSchema(known.schema, { io: 'input', unrepresentable: 'any' })
      const unknown = flat(kind.fields ?? [])
        .map((field) => field.name)
        .filter((name) => name !== 'transform.script' && !isDeclared(json, name.split('.')))
      expect({ kind: kind.key, unknown }).toEqual({ kind: kind.key, unknown: [] })
    }
  })

  test('what must be given is enough for the schema', () => {
    for (const kind of kinds) {
      const { spec } = startValues(kind)
      const [source] = spec[kind.key] as Record<string, unknown>[]
      for (const name of required(kind.key)) if (!name.includes('.')) source![name] ||= 'x'
      if (kind.key === 'azureDevops') source!.projects = ['x']
      if (kind.key === 'kubernetesFile') source!.files = [{ path: ['/x'] }]
      if (kind.key === 'terraform') source!.state = { local: '/x' }
      const saved = withoutEmptyFields(spec)
      expect({ kind: kind.key, problems: ScraperSpec.safeParse(saved).error?.issues ?? [] }).toEqual({
        kind: kind.key,
        problems: [],
      })
    }
  })

  test('all but Custom and the server itself have a form', () => {
    expect(kinds.filter((kind) => !kind.fields).map((kind) => kind.key)).toEqual(['custom', 'quarterdeck'])
  })

  test('[SCR-05] a new one of each kind has a schedule, and every form has retention', () => {
    for (const kind of kinds) {
      const { spec } = startValues(kind)
      expect(spec.schedule).toMatch(/^@/)
      expect(sourcesOf(spec).map((place) => place.key)).toEqual([kind.key])
    }
    expect(flat([retention]).map((field) => field.name)).toEqual([
      'retention.staleItemAge',
      'retention.changes',
      'retention.types',
    ])
  })

  test('[SCR-06] access to AWS', () => {
    expect(names('aws')).toEqual(
      expect.arrayContaining('accessKey secretKey region endpoint skipTLSVerify assumeRole'.split(' ')),
    )
  })

  test('[SCR-07] audit trail and costs of AWS', () => {
    const groups = kindOf('aws').fields!.filter((field) => field.kind === 'section')
    const group = (label: string) =>
      flat(groups.find((each) => each.label === label)!.fields).map((field) => field.label)
    expect(group('CloudTrail')).toEqual(['Exclude', 'Max age'])
    expect(group('Cost reporting')).toEqual(['S3 bucket path', 'Table', 'Database', 'Region'])
  })

  test('[SCR-08] the fields of kubernetes', () => {
    const own = names('kubernetes').map((name) => name.split('.')[0]!.toLowerCase())
    expect(own).toEqual(
      expect.arrayContaining(
        'clusterName kubeconfig namespace scope since selector fieldSelector maxInFlight exclusions watch'
          .toLowerCase()
          .split(' '),
      ),
    )
  })

  test('[SCR-09] the defaults of kubernetes', () => {
    const { spec } = startValues(kindOf('kubernetes'))
    expect(spec.schedule).toBe('@every 30m')
    expect(spec.kubernetes).toEqual([{ clusterName: '', maxInflight: 64 }])
  })

  test('[SCR-10] what must be given', () => {
    expect(required('githubActions')).toEqual(['owner', 'repository'])
    expect(required('sql')).toEqual(expect.arrayContaining(['connection', 'query', 'type', 'id']))
    expect(required('kubernetesFile')).toEqual(expect.arrayContaining(['type', 'id']))
    expect(required('kubernetes')).toContain('clusterName')
    expect(required('file')).toEqual(expect.arrayContaining(['format', 'icon']))
    expect(required('http')).toContain('format')
  })
})

describe('what is saved', () => {
  test('leaves out what was left empty, also inside lists', () => {
    const spec = {
      schedule: '',
      retention: { changes: [{ name: 'diff', age: '', count: 0 }], types: [], staleItemAge: '' },
      sql: [
        { connection: 'c', query: 'q', type: '', id: '$.id', auth: { username: undefined }, transform: { mask: [] } },
      ],
      kubernetes: [
        { clusterName: 'a', exclusions: { name: ['', 'x'], kind: [''] }, watch: [{ apiVersion: 'v1', kind: '' }] },
      ],
    }
    expect(withoutEmptyFields(spec)).toEqual({
      retention: { changes: [{ name: 'diff', count: 0 }] },
      sql: [{ connection: 'c', query: 'q', id: '$.id' }],
      kubernetes: [{ clusterName: 'a', exclusions: { name: ['x'] }, watch: [{ apiVersion: 'v1' }] }],
    })
  })

  test('keeps what the forms do not know', () => {
    const spec = {
      logLevel: '',
      full: false,
      http: [{ url: 'u', mine: '', tls: { insecureSkipVerify: false } }],
      slack: [{ token: '' }],
    }
    expect(withoutEmptyFields(spec)).toEqual(spec)
  })

  test('a spec is left as it was', () => {
    const spec = { http: [{ url: '' }] }
    withoutEmptyFields(spec)
    expect(spec).toEqual({ http: [{ url: '' }] })
  })
})

test('what a spec reads, in words', () => {
  const spec = { schedule: '@daily', sql: [{ connection: 'db' }], slack: [{}], http: 'no list' }
  expect(kindLabels(spec)).toEqual(['SQL', 'slack'])
  expect(sourcesOf(spec).map((place) => place.label)).toEqual(['db', 'slack 1'])
  expect([iconOfSpec(spec), iconOfSpec({}), iconOfSpec(null)]).toEqual(['database', undefined, undefined])
})
