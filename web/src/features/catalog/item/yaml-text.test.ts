import fc from 'fast-check'
import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import { yamlText } from './yaml-text.ts'

describe('YAML of a document', () => {
  test('reads as people write it', () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web-1', labels: { 'app.kubernetes.io/name': 'web' }, annotations: {} },
      spec: { containers: [{ image: 'nginx:1.27', args: ['-c', 'echo hi'], ports: [] }], restartPolicy: 'Always' },
      data: {
        script: 'set -e\necho "a: b"\n',
        empty: '',
        yes: 'yes',
        number: '007',
        flag: true,
        nothing: null,
        rate: 1.5,
      },
    }
    expect(yamlText(pod)).toBe(`apiVersion: v1
kind: Pod
metadata:
  name: web-1
  labels:
    app.kubernetes.io/name: web
  annotations: {}
spec:
  containers:
  - image: nginx:1.27
    args:
    - "-c"
    - echo hi
    ports: []
  restartPolicy: Always
data:
  script: |
    set -e
    echo "a: b"
  empty: ""
  "yes": "yes"
  number: "007"
  flag: true
  nothing: null
  rate: 1.5
`)
  })

  test('gives back any JSON value as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.parse(JSON.stringify(value)) as unknown
        expect(parse(yamlText(text), { version: '1.2' })).toEqual(text)
      }),
      { numRuns: 400 },
    )
  })

  test.each([
    'a\nb',
    'a\n',
    'a\n\n',
    '\na',
    ' a\nb',
    'a \nb',
    'a\r\nb',
    '\n',
    'a\n\n\nb',
    '# no',
    'a # b',
    '- x',
    'k: v',
    '1e3',
    '0x1',
    '2024-01-01',
    '~',
    'null',
    '<<',
    'a\u0085\nb',
    '',
    ' ',
    'é\nü',
  ])('%j stays itself, alone, in a list and under a key', (text) => {
    for (const value of [text, [text], { [text]: text }, [[text, { a: text }]]])
      expect(parse(yamlText(value))).toEqual(value)
  })

  test('a document of five megabytes is written in the time its size needs', () => {
    const items = Array.from({ length: 22_000 }, (_, n) => ({
      id: `item-${n}`,
      spec: { image: `registry.example.test/team/image:${n}`, replicas: n % 7, args: ['--flag', `--n=${n}`] },
      text: 'line one\nline two with some words in it\nline three of the text that is kept as a block\n',
    }))
    const start = performance.now()
    const text = yamlText({ items })
    expect(text.length).toBeGreaterThan(5_000_000)
    // 0.2 s on a quiet machine; what this would notice is time that grows faster than the document.
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})
