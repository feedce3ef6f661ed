import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Run } from '../run.ts'
import { execute } from './execute.ts'
import { goFunctions } from './functions.ts'
import { braces } from './gotemplate.ts'
import { parseTemplate } from './parser.ts'

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../testdata/${name}`, import.meta.url), 'utf8')) as unknown
const { data } = read('gotemplate-cases.json') as { data: Record<string, unknown> }
const expected = read('gotemplate.json') as { template: string; output: string; error?: string }[]

const render = (template: string) => {
  const run = new Run({ steps: 100_000, output: 100_000 })
  return execute(parseTemplate(template, braces, goFunctions.has), data, goFunctions, run)
}

describe('renders what Go renders', () => {
  test.each(expected.filter(({ error }) => !error))('$template', ({ template, output }) => {
    expect(render(template)).toBe(output)
  })
})

describe('refuses what Go refuses', () => {
  test.each(expected.filter(({ error }) => error))('$template', ({ template }) => {
    expect(() => render(template)).toThrow()
  })
})
