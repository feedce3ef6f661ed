import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, settings, unknownSettings } from './config.ts'
import { projectFolder } from './platform/paths.ts'

test('defaults make a whole configuration', () => {
  expect(readConfig({})).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    QUARTERDECK_AUTH: 'builtin',
    QUARTERDECK_EXEC: true,
  })
})

test('an empty value counts as none', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ PORT: 3000, DATABASE_URL: undefined })
})

test.each([
  ['PORT', '70000'],
  ['PORT', '3000x'],
  ['QUARTERDECK_DEPLOYMENT', 'half'],
  ['BACKEND_URL', 'not an address'],
  ['BACKEND_URL', 'ftp://files'],
  ['KRATOS_URL', 'javascript:alert(1)'],
  ['QUARTERDECK_TRUSTED_PROXIES', 'anybody'],
  ['QUARTERDECK_ADMIN_EMAIL', 'admin'],
])('%s=%s is refused by name, value and meaning', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(
    new RegExp(`^Setting ${name} is wrong: "${value.replace(/[()]/g, '\\$&')}": .+ It means: `),
  )
})

test('names that are no settings are noticed', () => {
  const given = { QUARTERDECK_DATADIR: 'x', QUARTERDECK_E2E_URL: 'x', QUARTERDECK_AUTH: 'none', HOME: '/' }
  expect(unknownSettings(given)).toEqual(['QUARTERDECK_DATADIR'])
})

test('a wrong secret is not shown', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://me:hunter2@db/x' })).toThrow(
    /^Setting DATABASE_URL is wrong: the value given: must start with postgres:/,
  )
  expect(() => readConfig({ QUARTERDECK_ADMIN_PASSWORD: 'hunter2' })).toThrow(/^(?!.*hunter2)/)
})

/** The table of the README is written by hand for people; this keeps it true. */
test('the README lists every setting with its default', () => {
  const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8')
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| (.*?) \| (.*?) \|$/gm)].map(([, name, given, meaning]) => ({
    name,
    given,
    meaning,
  }))
  const wanted = Object.entries(settings).map(([name, setting]: [string, { default?: string; meaning: string }]) => ({
    name,
    given: setting.default ? `\`${setting.default}\`` : '',
    meaning: setting.meaning,
  }))
  expect(rows).toEqual(wanted)
})
