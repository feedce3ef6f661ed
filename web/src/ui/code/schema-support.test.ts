import fc from 'fast-check'
import { describe as group, expect, test } from 'vitest'
import { yamlPlace } from './cursor-path.ts'
import { diagnose } from './diagnose.ts'
import { jsonPlace } from './json-place.ts'
import { describe, propertiesAt, type SchemaObject, valuesAt } from './json-schema.ts'
import { formatLines, parseLines } from './lines.ts'
import { suggestions } from './schema-support.ts'

const schema: SchemaObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['schedule'],
  additionalProperties: false,
  properties: {
    schedule: { type: 'string', description: 'When it runs', examples: ['@every 30s'] },
    severity: { enum: ['low', 'high', 'true'] },
    http: { type: 'array', items: { $ref: '#/$defs/http' } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  },
  $defs: {
    http: {
      type: 'object',
      required: ['url'],
      additionalProperties: false,
      properties: {
        url: { type: 'string' },
        method: { enum: ['GET', 'POST'] },
        insecure: { type: 'boolean' },
        nested: { $ref: '#/$defs/http' },
        auth: {
          oneOf: [
            { type: 'object', properties: { token: { type: 'string' } } },
            { type: 'object', properties: { user: { type: 'string' } } },
          ],
        },
      },
    },
  },
}

group('schema', () => {
  test('properties and values by path, through references, lists and alternatives', () => {
    expect(propertiesAt(schema, []).map((p) => p.name)).toEqual(['schedule', 'severity', 'http', 'labels'])
    expect(propertiesAt(schema, []).find((p) => p.name === 'schedule')?.isRequired).toBe(true)
    expect(propertiesAt(schema, ['http', 3]).map((p) => p.name)).toEqual([
      'url',
      'method',
      'insecure',
      'nested',
      'auth',
    ])
    expect(propertiesAt(schema, ['http', 0, 'nested', 'auth']).map((p) => p.name)).toEqual(['token', 'user'])
    expect(valuesAt(schema, ['http', 0, 'insecure']).map((v) => v.value)).toEqual([true, false])
    expect(propertiesAt(schema, ['nowhere'])).toEqual([])
    expect(describe(schema, ['schedule'])).toBe('When it runs')
  })

  test('a schema that refers to itself does not end in a circle', () => {
    const circle: SchemaObject = { $ref: '#' }
    expect(propertiesAt(circle, ['a', 'b'])).toEqual([])
  })
})

group('completion', () => {
  const offer = (text: string) => {
    const offset = text.indexOf('|')
    return suggestions(yamlPlace(text.replace('|', ''), offset), schema, 'yaml')
  }

  test('keys that are not there yet, with what follows them', () => {
    expect(offer('schedule: x\n|').map((s) => s.label)).toEqual(['severity', 'http', 'labels'])
    expect(offer('|').find((s) => s.label === 'http')?.apply).toBe('http:\n  - ')
    expect(offer('http:\n  - |').find((s) => s.label === 'nested')?.apply).toBe('nested:\n      ')
    expect(offer('http:\n  - u|').find((s) => s.label === 'url')?.apply).toBe('url: ')
  })

  test('values, quoted where YAML would misread them', () => {
    expect(offer('severity: |').map((s) => s.label)).toEqual(['low', 'high', '"true"'])
    expect(offer('schedule: |').map((s) => s.label)).toEqual(['"@every 30s"'])
    expect(offer('http:\n  - method: G|').map((s) => s.label)).toEqual(['GET', 'POST'])
  })

  test('JSON', () => {
    const json = (text: string) => {
      const offset = text.indexOf('|')
      return suggestions(jsonPlace(text.replace('|', ''), offset), schema, 'json').map((s) => s.label)
    }
    expect(json('{|}')).toEqual(['schedule', 'severity', 'http', 'labels'])
    expect(json('{"schedule": "x", "|", "labels": {"a": 1}}')).toEqual(['severity', 'http'])
    expect(json('{"http": [{"url": "a"}, {"method": |}]}')).toEqual(['"GET"', '"POST"'])
    expect(json('|')).toEqual([])
  })

  test('no text and no cursor makes it fail', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ':', ' ', '-', '\n', '#', '"', '|', '{', '}', '[', ']', ','),
      maxLength: 60,
    })
    fc.assert(
      fc.property(text, fc.nat(60), (content, offset) => {
        const at = Math.min(offset, content.length)
        suggestions(yamlPlace(content, at), schema, 'yaml')
        suggestions(jsonPlace(content, at), schema, 'json')
        diagnose(content, schema)
      }),
      { numRuns: 300 },
    )
  })
})

group('checks', () => {
  const problems = (text: string) => diagnose(text, schema).map((p) => [text.slice(p.from, p.to), p.message])

  test('what breaks the schema is marked where it stands', () => {
    expect(problems('schedule: x\nhttp:\n  - url: y')).toEqual([])
    const found = problems('schedule: 5\nhttp:\n  - method: PUT')
    expect(found.map(([where]) => where).sort()).toEqual(['m', 'method', 'schedule'])
    expect(found.some(([, message]) => /required/.test(message!) && /url/.test(message!))).toBe(true)
    expect(problems('schedule: x\ncolour: red')).toEqual([['colour', 'Unknown property "colour".']])
  })

  test('mistakes of the language come first', () => {
    expect(diagnose('a: [1, 2', schema)[0]?.severity).toBe('error')
    expect(diagnose('a: 1\na: 2').length).toBe(1)
    expect(diagnose('{"a": 1}')).toEqual([])
    expect(diagnose('')).toEqual([])
  })

  test('a schema the validator cannot use is ignored', () => {
    expect(diagnose('a: 1', { $ref: '#/nowhere' })).toEqual([])
  })
})

test('lines in an address', () => {
  expect([
    parseLines('L3-L9'),
    parseLines('#L9-L3'),
    parseLines('5'),
    parseLines('L0'),
    parseLines('x'),
    parseLines(null),
  ]).toEqual([{ from: 3, to: 9 }, { from: 3, to: 9 }, { from: 5, to: 5 }, undefined, undefined, undefined])
  expect([formatLines({ from: 3, to: 9 }), formatLines({ from: 4, to: 4 }), formatLines(undefined)]).toEqual([
    'L3-L9',
    'L4',
    '',
  ])
})
