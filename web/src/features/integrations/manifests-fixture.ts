import type { ChartValues } from './manifests.ts'

export const chart = { name: 'mission-control-aws', version: '1.2.3' }
export const values: ChartValues = {
  id: 'aws',
  name: 'aws',
  namespace: 'mission-control',
  interval: '30m',
  labels: {},
  chartValues: {},
}
/** Words that YAML or a shell would take for something else. */
export const odd = [
  'yes',
  '007',
  '1e3',
  '2024-01-01',
  'null',
  'a: b',
  '# no comment',
  "it's",
  '"quoted"',
  '- dash',
  '{curly}',
  '&anchor',
  '*alias',
  '!tag',
  'line\nbreak',
  'EOF',
  '$(whoami)',
  '`id`',
  'ünï',
  ' ',
]
