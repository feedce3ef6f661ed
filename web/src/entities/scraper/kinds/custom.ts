import { type ScraperKind, startWith } from './kind.ts'

/** Everything else: the whole spec, written as YAML. */
export const custom: ScraperKind = {
  key: 'custom',
  label: 'Custom',
  icon: 'blocks',
  about: 'Any spec, written as YAML',
  start: startWith('custom', {
    type: 'Custom::Item',
    id: '$.id',
    name: '$.name',
    config: [{ id: 'one', name: 'One' }],
  }),
}
