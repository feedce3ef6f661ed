import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { chart, odd, values } from '../web/src/features/integrations/manifests-fixture.ts'
import { helmCommands, shellWord } from '../web/src/features/integrations/manifests.ts'

/** What a shell would hand to helm. */
function run(script: string): { args: string[]; input: string }[] {
  const stub = `helm() { printf '%s\\0' "$@"; printf '\\1'; case "$*" in *"--values -"*) cat;; esac; printf '\\2'; }\n`
  const output = execFileSync('sh', ['-c', stub + script], { encoding: 'utf8', input: '' })
  return output
    .split('\u0002')
    .filter(Boolean)
    .map((call) => {
      const [args = '', input = ''] = call.split('\u0001')
      return { args: args.split('\0').slice(0, -1), input }
    })
}

describe('Helm CLI', () => {
  test('[INTEG-07] commands that add the repository and install the chart', () => {
    const calls = run(helmCommands({ ...values, chartValues: { a: { b: 1 } }, labels: { team: 'ops' } }, chart))
    expect(calls.map(({ args }) => args)).toEqual([
      ['repo', 'add', 'flanksource', 'https://flanksource.github.io/charts'],
      ['repo', 'update'],
      (
        'upgrade --install aws flanksource/mission-control-aws --namespace mission-control --create-namespace ' +
        '--version 1.2.3 --labels team=ops --values -'
      ).split(' '),
    ])
    expect(parse(calls[2]!.input)).toEqual({ a: { b: 1 } })
  })

  test.each(odd)('the shell hands on exactly what was typed: %j', (text) => {
    const [, , install] = run(helmCommands({ ...values, name: text, namespace: text, chartValues: { k: text } }, chart))
    expect(install!.args[2]).toBe(text)
    expect(install!.args[5]).toBe(text)
    expect(parse(install!.input)).toEqual({ k: text })
  })

  test('a label is one label, whatever it holds', () => {
    const [, , install] = run(helmCommands({ ...values, labels: { a: 'x,b=y', c: 'say "hi"', d: 'z' } }, chart))
    expect(install!.args.at(-1)).toBe('"a=x,b=y","c=say ""hi""",d=z')
  })

  test('values that hold the end of themselves', () => {
    const [, , install] = run(helmCommands({ ...values, chartValues: { k: 'a\nVALUES\nb\n', VALUES: null } }, chart))
    expect(parse(install!.input)).toEqual({ k: 'a\nVALUES\nb\n', VALUES: null })
  })

  test('plain words stay plain', () => {
    expect(shellWord('mission-control')).toBe('mission-control')
    expect(shellWord('')).toBe("''")
  })
})
