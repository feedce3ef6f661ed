import { number, text } from '@/ui/form/declare.ts'
import { type CheckKind, details, name, startWith, threshold } from './kind.ts'

export const icmp: CheckKind = {
  key: 'icmp',
  label: 'ICMP Ping',
  icon: 'icmp',
  fields: [
    name,
    text('endpoint', { required: true, placeholder: 'host or address' }),
    number('packetCount', { min: 1, max: 100, placeholder: '5' }),
    number('packetLossThreshold', { label: 'Packet loss threshold', min: 0, max: 100, unit: '%' }),
    threshold,
    details,
  ],
  start: startWith('icmp', { endpoint: '' }),
}
