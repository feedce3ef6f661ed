import { describe, expect, test } from 'vitest'
import { yamlPlace } from './cursor-path.ts'

/** The place of the | in a text. */
function at(text: string) {
  const marked = text.replace('|PIPE', '\u0000')
  const offset = marked.indexOf('|')
  const { path, kind, typed, siblings } = yamlPlace(marked.replace('|', '').replace('\u0000', '|'), offset)
  return { path: path.join('/'), kind, typed, siblings: [...siblings].sort().join(' ') }
}

describe('the place of a cursor in YAML', () => {
  test.each([
    ['an empty text', '|', '', 'key', '', ''],
    ['a key at the top', 'na|', '', 'key', 'na', ''],
    ['beside other keys', 'kind: x\n|\nspec: y', '', 'key', '', 'kind spec'],
    ['below a key', 'spec:\n  |', 'spec', 'key', '', ''],
    ['deep below', 'spec:\n  http:\n    - name: a\n      u|\n', 'spec/http/0', 'key', 'u', 'name'],
    ['a new list entry', 'http:\n  - name: a\n  - |', 'http/1', 'key', '', ''],
    ['a list entry at the column of its key', 'http:\n- name: a\n- u|', 'http/1', 'key', 'u', ''],
    ['the second key of such an entry', 'http:\n- name: a\n  u|', 'http/0', 'key', 'u', 'name'],
    ['a value', 'spec:\n  schedule: @ev|', 'spec/schedule', 'value', '@ev', ''],
    ['an empty value', 'spec:\n  schedule: |', 'spec/schedule', 'value', '', ''],
    ['a value in a list entry', 'http:\n  - method: G|', 'http/0/method', 'value', 'G', ''],
    ['after a finished block', 'spec:\n  a:\n    b: 1\n  |', 'spec', 'key', '', 'a'],
    ['back at the top', 'spec:\n  a: 1\n|', '', 'key', '', 'spec'],
    ['a quoted key', '"a b":\n  |', 'a b', 'key', '', ''],
    ['comments and empty lines', 'spec:\n  # about a\n\n  a: 1\n  # more\n  |', 'spec', 'key', '', 'a'],
    ['nested lists', 'steps:\n  - run:\n      - name: x\n        a|', 'steps/0/run/0', 'key', 'a', 'name'],
    ['keys after a nested list', 'a:\n  - b:\n      - c: 1\n    d|', 'a/0', 'key', 'd', 'b'],
    ['inside a block of text', 'script: |PIPE\n  echo: |', '', 'none', '', ''],
    ['a list in a list', 'a:\n  - - b: 1\n      c|', 'a/0/0', 'key', 'c', 'b'],
    ['an entry with its dash alone', 'a:\n  -\n    b|', 'a/0', 'key', 'b', ''],
    ['a comment', 'a: 1 # he|', '', 'none', '', ''],
    ['siblings below the cursor', 'http:\n  - |\n    name: x\n  - url: y', 'http/0', 'key', '', 'name'],
  ])('%s', (_, text, path, kind, typed, siblings) => {
    expect(at(text)).toEqual({ path, kind, typed, siblings })
  })
})
