import type { TrivyScraper } from '@quarterdeck/contract/scrapers/trivy'

interface Options {
  version: string
  kubeconfig?: string
  compliance?: string
}

/** The command line; since 0.51 the context is an argument and namespaces have another flag, since 0.56 packages too. */
export function trivyArguments(spec: TrivyScraper, { version, kubeconfig, compliance }: Options): string[] {
  const { components, context, namespace } = spec.kubernetes
  const minor = Number(version.split('.')[1] ?? 0)
  const isNew = minor === 0 || minor >= 51
  const args = ['k8s', '--format=json', compliance ? '--report=summary' : '--report=all', '--quiet']
  const add = (flag: string, value: string | readonly string[] | undefined) => {
    const text = typeof value === 'string' ? value : value?.join(',')
    if (text) args.push(`--${flag}=${text}`)
  }
  add('compliance', compliance)
  add('kubeconfig', kubeconfig)
  add('timeout', spec.timeout ?? '60m')
  if (!compliance) {
    add('severity', spec.severity)
    add('scanners', spec.scanners)
    add(minor >= 56 ? 'pkg-types' : 'vuln-type', spec.vulnType)
    add('ignored-licenses', spec.ignoredLicenses)
    if (spec.ignoreUnfixed) args.push('--ignore-unfixed')
    if (spec.licenseFull) args.push('--license-full')
  }
  if (isNew) {
    add('include-namespaces', namespace)
    // Nodes and the control plane are left out by what used to be a component.
    if (components && !components.includes('infra')) args.push('--disable-node-collector')
    if (context) args.push('--', context)
    return args
  }
  add('components', components)
  add('namespace', namespace)
  add('context', context)
  return [...args, namespace ? 'all' : 'cluster']
}
