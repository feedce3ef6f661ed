import { chartRepository } from '@quarterdeck/contract/charts'
import { stringify } from 'yaml'

/** What is asked about a chart before it is installed. */
export interface ChartValues {
  id: string
  name: string
  namespace: string
  interval: string
  labels: Record<string, string>
  chartValues: Record<string, unknown>
}

/** The chart itself; without a version the newest one is taken. */
export interface ChartName {
  name: string
  version?: string
}

const hasKeys = (object: object) => Object.keys(object).length > 0
/** Kubernetes and Helm read YAML 1.1, where `yes`, `on` and `012` are no text. */
const yaml = (value: unknown) => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' })

/** Names of Kubernetes that are text everywhere else too: true, 1.5 and 2024-01-01 must not become something else. */
const textMap = (map: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, String(value)]))

/** The repository and the release, as Flux reads them. */
export function fluxManifest(values: ChartValues, chart: ChartName): string {
  const { name, namespace, interval, labels, chartValues } = values
  const repository = {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'HelmRepository',
    metadata: { name: chartRepository.name, namespace },
    spec: { interval, url: chartRepository.url },
  }
  const release = {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name, namespace, ...(hasKeys(labels) && { labels: textMap(labels) }) },
    spec: {
      interval,
      chart: {
        spec: {
          chart: chart.name,
          ...(chart.version && { version: chart.version }),
          sourceRef: { kind: 'HelmRepository', name: chartRepository.name, namespace },
        },
      },
      ...(hasKeys(chartValues) && { values: chartValues }),
    },
  }
  return [repository, release].map(yaml).join('---\n')
}

/** A word for the shell: as it is when nothing in it is special, else quoted. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** Helm reads labels as a line of CSV. */
const csvField = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Ends the values; a line of them must not look like it. */
function endOf(text: string): string {
  const lines = new Set(text.split('\n'))
  let end = 'VALUES'
  while (lines.has(end)) end += '_'
  return end
}

/** The same with Helm alone. */
export function helmCommands({ name, namespace, labels, chartValues }: ChartValues, chart: ChartName): string {
  const pairs = Object.entries(labels).map(([key, value]) => csvField(`${key}=${value}`))
  const install = [
    `helm upgrade --install ${shellWord(name)} ${shellWord(`${chartRepository.name}/${chart.name}`)}`,
    `--namespace ${shellWord(namespace)} --create-namespace`,
    ...(chart.version ? [`--version ${shellWord(chart.version)}`] : []),
    ...(pairs.length > 0 ? [`--labels ${shellWord(pairs.join(','))}`] : []),
    ...(hasKeys(chartValues) ? ['--values -'] : []),
  ].join(' \\\n  ')
  const head = `helm repo add ${chartRepository.name} ${chartRepository.url}\nhelm repo update\n\n${install}`
  if (!hasKeys(chartValues)) return `${head}\n`
  const text = yaml(chartValues)
  const end = endOf(text)
  return `${head} <<'${end}'\n${text}${end}\n`
}
