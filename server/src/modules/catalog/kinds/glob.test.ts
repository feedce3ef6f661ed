import { expect, test } from 'vitest'
import { gitAddress } from './file-git.ts'
import { fitsGlob } from './glob.ts'

test.each([
  ['*.yaml', 'a.yaml', true],
  ['*.yaml', 'b/a.yaml', false],
  ['**/*.yaml', 'a.yaml', true],
  ['**/*.yaml', 'b/c/a.yaml', true],
  ['a/**', 'a/b/c', true],
  ['a/**/z', 'a/z', true],
  ['a/**/z', 'a/b/c/z', true],
  ['a/**/z', 'a/b/c/y', false],
  ['?.json', 'x.json', true],
  ['?.json', 'xy.json', false],
  ['*.{yaml,yml}', 'a.yml', true],
  ['*.{yaml,yml}', 'a.json', false],
  ['conf*prod*.json', 'config-prod-1.json', true],
  ['', 'a', false],
])('%s fits %s: %s', (pattern, path, fits) => {
  expect(fitsGlob(pattern, path)).toBe(fits)
})

test('a pattern full of stars ends', () => {
  expect(fitsGlob('*a'.repeat(200), 'a'.repeat(5000))).toBe(true)
  expect(fitsGlob(`${'**/'.repeat(100)}x`, 'a/'.repeat(500))).toBe(false)
})

test.each([
  ['git::https://host.test/team/repo.git//env/prod?ref=v2', 'https://host.test/team/repo.git', 'env/prod', 'v2'],
  ['https://host.test/team/repo.git', 'https://host.test/team/repo.git', '', undefined],
  ['git@host.test:team/repo.git', 'git@host.test:team/repo.git', '', undefined],
  ['ssh://git@host.test/team/repo//a', 'ssh://git@host.test/team/repo', 'a', undefined],
  ['github.com/team/repo//x', 'https://github.com/team/repo', 'x', undefined],
])('%s is a git address', (url, remote, folder, ref) => {
  expect(gitAddress(url)).toMatchObject({ remote, folder, ref })
})

test('other addresses are not, and a folder stays inside its repository', () => {
  expect(gitAddress('/etc/racks')).toBeUndefined()
  expect(gitAddress('https://host.test/racks.yaml')).toBeUndefined()
  expect(gitAddress('')).toBeUndefined()
  expect(gitAddress('git::https://me:secret@host.test/r.git')?.shown).toBe('https://host.test/r.git')
  expect(() => gitAddress('git::https://host.test/r.git//../etc')).toThrow('leads out of the repository')
})
