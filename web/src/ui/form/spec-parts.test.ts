import { expect, test } from 'vitest'
import { list, section, text, toggle } from './declare.ts'
import { partsOf, type Spec, withoutEmptyFields } from './spec-parts.ts'

const kinds = [
  {
    key: 'http',
    label: 'HTTP',
    icon: 'http',
    fields: [text('url'), toggle('follow'), section('More', [text('tls.cert'), list('headers')])],
  },
  { key: 'raw', label: 'Raw', icon: 'code' },
]
const parts = (spec: Spec) => partsOf(spec, kinds, ['name', 'url'])

test('parts are the objects of lists, in the order written, named by what tells them apart', () => {
  const spec = {
    schedule: '1m',
    raw: [{}, 'text'],
    http: [{ url: 'u' }, { name: 'n', url: 'u' }],
    other: [{}],
    env: {},
  }
  expect(parts(spec).map(({ path, name, label, kind }) => [path, name, label, kind?.label])).toEqual([
    ['raw.0', '', 'Raw 1', 'Raw'],
    ['http.0', 'u', 'u', 'HTTP'],
    ['http.1', 'n', 'n', 'HTTP'],
    ['other.0', '', 'other 1', undefined],
  ])
})

test('what forms left empty is not saved; false, 0 and what they do not know stay', () => {
  const spec = {
    schedule: '',
    http: [{ url: ' ', follow: false, tls: { cert: '' }, headers: [{ name: 'a', value: '' }, { name: '' }], mine: '' }],
    raw: [{ url: '' }],
    retention: { keep: { days: '' } },
    size: 0,
  }
  expect(withoutEmptyFields(spec, parts, ['schedule', 'retention.keep.days', 'size'])).toEqual({
    http: [{ follow: false, headers: [{ name: 'a' }], mine: '' }],
    raw: [{ url: '' }],
    size: 0,
  })
  expect(spec.schedule).toBe('')
})

test('what stands around an empty field stays while it holds something else', () => {
  const spec = { http: [{ url: 'u', tls: { cert: '', key: 'k' } }, { tls: null }] }
  expect(withoutEmptyFields(spec, parts)).toEqual({ http: [{ url: 'u', tls: { key: 'k' } }, { tls: null }] })
})
