import { describe, expect, test } from 'vitest'
import { mergeFlags } from './feature-flags.queries.ts'
import { effectOf } from './flag-effect.ts'

describe('feature flags', () => {
  const person = { id: '1', name: 'Ada' }
  const stored = (name: string, value: string) => ({
    name,
    value,
    created_by: person,
    created_at: '2024-08-29T10:00:00Z',
    updated_at: '2024-08-29T10:00:00Z',
  })
  const inForce = (name: string, value: string, source: string) => ({ name, value, source, description: '' })

  test('what is in force is listed by name with who stored it', () => {
    const flags = mergeFlags(
      [inForce('logs.disable', 'true', 'db'), inForce('incidents.disable', 'false', 'local')],
      [stored('logs.disable', 'true'), stored('incidents.disable', 'true')],
    )
    expect(flags.map(({ name, value, source, created_by }) => [name, value, source, created_by?.name])).toEqual([
      ['incidents.disable', 'false', 'local', undefined],
      ['logs.disable', 'true', 'db', 'Ada'],
    ])
  })

  test('a flag says what it does', () => {
    expect(effectOf('incidents.disable', 'true')).toBe('Switches off Incidents')
    expect(effectOf('health.disable', 'true')).toBe(
      'Switches off Health, Settings › Health Checks, Settings › Jobs History',
    )
    expect(effectOf('incidents.disable', 'yes')).toMatch(/^No effect/)
    expect(effectOf('log.level', 'info')).toBeNull()
  })
})
