import { afterEach, expect, test, vi } from 'vitest'
import { runSnippet, snippetOf, snippetProperty } from './snippets.ts'

const property = (source: string, value = '() => {}') => ({ name: snippetProperty, value, source, description: '' })
const user = { id: '1', name: 'Ada' }

afterEach(() => vi.restoreAllMocks())

test('[FLAG-04] script runs only where the server allows it and its own file holds it', () => {
  expect(snippetOf([property('local')], { snippets: true })).toBe('() => {}')
  expect(snippetOf([property('local')], { snippets: false })).toBeUndefined()
  expect(snippetOf([property('db')], { snippets: true })).toBeUndefined()
  expect(snippetOf([property('local', '')], { snippets: true })).toBeUndefined()
  expect(snippetOf([], { snippets: true })).toBeUndefined()
})

test('[FLAG-04] the snippet gets the signed-in person', () => {
  const seen = vi.fn()
  vi.stubGlobal('seen', seen)
  runSnippet('({ user, organization }) => globalThis.seen(user.name, organization)', { user, organization: null })
  expect(seen).toHaveBeenCalledWith('Ada', null)
  vi.unstubAllGlobals()
})

test.each(['(', '42', '() => { throw new Error("no") }'])(
  'a snippet that fails (%s) leaves the console alone',
  (text) => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {})
    runSnippet(text, { user, organization: null })
    expect(told).toHaveBeenCalledWith(expect.stringContaining(snippetProperty))
  },
)
