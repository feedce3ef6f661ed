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

  // Flux, kubectl and Helm read 1.1; other tools 1.2.
  test.each((['1.1', '1.2'] as const).flatMap((version) => odd.map((text) => [text, version] as const)))(
    'is valid YAML whatever is typed: %j, read as %s',
    (text, version) => {
      const given = {
        ...values,
        name: text,
        namespace: text,
        labels: { [text]: text },
        chartValues: { [text]: [text] },
      }
      const documents = parseAllDocuments(fluxManifest(given, { name: text, version: text }), { version, merge: false })
      const release = documents.map(
        (document) => document.toJS() as { metadata: object; spec: { values?: object; chart?: { spec: object } } },
      )[1]!
      expect(release.metadata).toEqual({ name: text, namespace: text, labels: { [text]: text } })
      expect(release.spec.values).toEqual({ [text]: [text] })
      expect(release.spec.chart!.spec).toMatchObject({ chart: text, version: text })
    },
  )

  test('without a version the newest is taken', () => {
    expect(fluxManifest(values, { name: 'x' })).not.toContain('version')
    expect(helmCommands(values, { name: 'x' })).not.toContain('--version')
  })
})
