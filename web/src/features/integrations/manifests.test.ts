import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { chart, odd, values } from './manifests-fixture.ts'
import { fluxManifest, helmCommands } from './manifests.ts'

describe('Flux', () => {
  test('[INTEG-07] a repository and a HelmRelease', () => {
    const documents = parseAllDocuments(fluxManifest({ ...values, labels: { team: 'ops' } }, chart))
    expect(documents.flatMap((document) => document.errors)).toEqual([])
    const [repository, release] = documents.map((document) => document.toJS() as Record<string, unknown>)
    expect(repository).toMatchObject({ kind: 'HelmRepository', metadata: { namespace: 'mission-control' } })
    expect(release).toEqual({
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      metadata: { name: 'aws', namespace: 'mission-control', labels: { team: 'ops' } },
      spec: {
        interval: '30m',
        chart: {
          spec: {
            chart: 'mission-control-aws',
            version: '1.2.3',
            sourceRef: { kind: 'HelmRepository', name: 'flanksource', namespace: 'mission-control' },
          },
        },
      },
    })
  })

  test.each(odd)('is valid YAML whatever is typed: %j', (text) => {
    const given = { ...values, name: text, namespace: text, labels: { [text]: text }, chartValues: { [text]: [text] } }
    const release = parseAllDocuments(fluxManifest(given, { name: text, version: text })).map(
      (document) => document.toJS() as { metadata: object; spec: { values?: object; chart?: { spec: object } } },
    )[1]!
    expect(release.metadata).toEqual({ name: text, namespace: text, labels: { [text]: text } })
    expect(release.spec.values).toEqual({ [text]: [text] })
    expect(release.spec.chart!.spec).toMatchObject({ chart: text, version: text })
  })

  test('without a version the newest is taken', () => {
    expect(fluxManifest(values, { name: 'x' })).not.toContain('version')
    expect(helmCommands(values, { name: 'x' })).not.toContain('--version')
  })
})
