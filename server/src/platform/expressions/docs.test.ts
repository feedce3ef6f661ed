import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { registries } from './cel/cel.ts'
import { productFunctions } from './gotemplate/functions.ts'

const page = readFileSync(new URL('../../../../docs/expressions.md', import.meta.url), 'utf8')
const words = new Set(page.match(/[A-Za-z_][\w.]*/g))

test('docs/expressions.md names every function', () => {
  const cel = registries.product
    .allNames()
    .map((name) => name.replace(/^\./, ''))
    .filter((name) => !/^crypto\.\w+Bytes$/.test(name))
  expect(cel.filter((name) => !words.has(name))).toEqual([])
  expect(productFunctions.names().filter((name) => !words.has(name))).toEqual([])
})
