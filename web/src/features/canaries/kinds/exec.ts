import { code, number } from '@/ui/form/declare.ts'
import { envList } from './env-list-field.tsx'
import { type CheckKind, details, expressions, name, startWith } from './kind.ts'

export const exec: CheckKind = {
  key: 'exec',
  label: 'Exec',
  icon: 'exec',
  fields: [
    name,
    number('timeout', { min: 1, unit: 's', hint: 'The script is stopped after this time' }),
    code('script', { required: true, hint: 'Shell script; an exit code other than 0 fails the check' }),
    envList('env', 'Variable', { label: 'Environment' }),
    expressions,
    details,
  ],
  start: startWith('exec', { script: '' }),
}
