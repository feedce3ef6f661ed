import { isUtf8 } from 'node:buffer'
import { extname } from 'node:path'
import { KubernetesFileScraper } from '@quarterdeck/contract/scrapers/kubernetes-file'
import type { Cluster } from '../../../platform/kubernetes/client.ts'
import { execInPod } from '../../../platform/kubernetes/exec.ts'
import { type KubernetesObject, record, records, word } from '../../../platform/kubernetes/object.ts'
import type { ScraperKind, ScrapeResult, ScrapeRun } from './kind.ts'
import { clusterOf } from './kubernetes/cluster.ts'
import { identityOf } from './kubernetes/names.ts'

const maxFile = 10 * 1024 * 1024
const mostFiles = 1_000

/** Files inside pods; each is a document. */
export const kubernetesFile: ScraperKind<KubernetesFileScraper> = {
  key: 'kubernetesFile',
  schema: KubernetesFileScraper,
  concurrency: 3,
  async *scrape(run, spec) {
    const cluster = await clusterOf(run, spec)
    const { kind, name, namespace, labelSelector } = spec.selector
    const resource = await cluster.resourceOf(kind, kind === 'Pod' ? 'v1' : 'apps/v1', run.signal)
    const fieldSelector = [spec.selector.fieldSelector, name && `metadata.name=${name}`].filter(Boolean).join(',')
    const objects = await cluster.list(resource, { namespace, labelSelector, fieldSelector, signal: run.signal })
    if (objects.length === 0)
      yield { error: { message: `no ${kind} fits the selector`, item: name ?? labelSelector ?? kind } }
    for (const object of objects) {
      const shown = `${identityOf(object).namespace}/${kind}/${identityOf(object).name}`
      try {
        const pod = kind === 'Pod' ? object : await runningPodOf(run, cluster, object)
        yield* filesOf(run, cluster, spec, { object, pod, shown })
      } catch (error) {
        run.signal.throwIfAborted()
        yield { error: { message: (error as Error).message, item: shown } }
      }
    }
  },
}

/** All pods of a Deployment have the same files; the first that runs is read. */
async function runningPodOf(run: ScrapeRun, cluster: Cluster, object: KubernetesObject): Promise<KubernetesObject> {
  const { namespace } = identityOf(object)
  const selector = record(record(object.spec).selector)
  const labels = Object.entries(record(selector.matchLabels)).map(([key, value]) => `${key}=${word(value)}`)
  const rules = records(selector.matchExpressions).map(({ key, operator, values }) => {
    const list = Array.isArray(values) ? `(${values.map(word).join(',')})` : ''
    switch (operator) {
      case 'In':
        return `${word(key)} in ${list}`
      case 'NotIn':
        return `${word(key)} notin ${list}`
      default:
        return operator === 'Exists' ? word(key) : `!${word(key)}`
    }
  })
  const labelSelector = [...labels, ...rules].join(',')
  if (!labelSelector) throw new Error('it selects no pods')
  const pods = await cluster.list(await cluster.resourceOf('Pod', 'v1', run.signal), {
    namespace,
    labelSelector,
    signal: run.signal,
  })
  const pod = pods.find(({ status }) => record(status).phase === 'Running')
  if (!pod) throw new Error(`none of its ${pods.length} pods is running`)
  return pod
}

interface Place {
  object: KubernetesObject
  pod: KubernetesObject
  shown: string
}

async function* filesOf(
  run: ScrapeRun,
  cluster: Cluster,
  spec: KubernetesFileScraper,
  { object, pod, shown }: Place,
): AsyncGenerator<ScrapeResult> {
  const owner = identityOf(object)
  const inside = identityOf(pod)
  const { signal } = run
  const exec = (command: string[]) =>
    execInPod(cluster, {
      namespace: inside.namespace,
      pod: inside.name,
      container: spec.container,
      command,
      signal,
      maxBytes: maxFile,
    })
  for (const { path, format } of spec.files) {
    for (const pattern of typeof path === 'string' ? [path] : path) {
      for (const file of await pathsOf(pattern, exec)) {
        const { stdout, stderr, exitCode } = await exec(['cat', '--', file])
        if (exitCode !== 0) {
          yield { error: { message: stderr.trim() || `cat ended with ${exitCode}`, item: `${shown}${file}` } }
          continue
        }
        if (!isUtf8(stdout)) {
          yield {
            error: {
              message: 'the file is not UTF-8 text; what is not was replaced',
              item: `${shown}${file}`,
              partial: false,
            },
          }
        }
        yield {
          item: {
            id: `${shown}/${file.replace(/^\//, '')}`,
            type: 'File',
            configClass: 'File',
            name: file.split('/').at(-1),
            source: `${shown}${file}`,
            tags: { namespace: owner.namespace },
            parents: [{ externalId: owner.uid, type: owner.type }],
            config: stdout.toString('utf8'),
            format: format ?? spec.format ?? formatOf(file),
          },
        }
      }
    }
  }
}

const formats: Record<string, string> = {
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.json': 'json',
  '.properties': 'properties',
}
const formatOf = (file: string): string => formats[extname(file).toLowerCase()] ?? 'text'

/** A pattern is filled in by the shell of the container, which sees it as an argument and never as a command. */
async function pathsOf(pattern: string, exec: (command: string[]) => ReturnType<typeof execInPod>): Promise<string[]> {
  if (!pattern.startsWith('/')) throw new Error(`"${pattern}" is not an absolute path`)
  if (!/[*?[]/.test(pattern)) return [pattern]
  const script = 'IFS=; for file in $1; do [ -f "$file" ] && printf "%s\\n" "$file"; done; true'
  const { stdout, stderr, exitCode } = await exec(['sh', '-c', script, 'sh', pattern])
  if (exitCode !== 0) throw new Error(stderr.trim() || `the files of ${pattern} cannot be listed`)
  return stdout.toString('utf8').split('\n').filter(Boolean).slice(0, mostFiles)
}
