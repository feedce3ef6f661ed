import type { Rule } from './conditions.ts'

/** How the conditions of kinds that report by conditions are read, by `group/kind`. */

const ready: Record<string, Rule> = { Ready: { health: 'healthy', ready: true, message: true } }

const issuing: Record<string, Rule> = {
  Ready: {
    health: 'healthy',
    ready: true,
    status: 'Issued',
    order: 1,
    onFalse: { health: 'unknown', status: 'Issuing', message: true },
    reasons: { ConfigError: { health: 'unhealthy', status: 'ConfigError', message: true } },
  },
}

const certificateRequest: Record<string, Rule> = {
  InvalidRequest: { health: 'unhealthy', message: true, order: 3 },
  Denied: { health: 'unhealthy', message: true, order: 3 },
  Ready: {
    health: 'healthy',
    ready: true,
    status: 'Issued',
    order: 1,
    onFalse: { health: 'unknown', message: true },
    reasons: {
      Pending: { health: 'unknown', status: 'Issuing', message: true },
      Failed: { health: 'unhealthy', message: true },
    },
  },
}

const kustomization: Record<string, Rule> = {
  Ready: {
    health: 'healthy',
    ready: true,
    order: 2,
    onFalse: { health: 'unhealthy', ready: false, message: true },
    onUnknown: { health: 'unknown', ready: false, message: true },
    reasons: {
      ReconciliationSucceeded: { health: 'healthy', ready: true },
      Progressing: { health: 'unknown', ready: false, message: true },
      BuildFailed: { health: 'unhealthy', ready: false, message: true },
      StorageOperationFailed: { health: 'unhealthy', ready: false, message: true },
      FetchFailed: { health: 'warning', ready: false, message: true },
      ArtifactOutdated: { health: 'warning', ready: false, message: true },
      DependencyNotReady: { health: 'warning', ready: false, message: true },
    },
  },
  Healthy: { order: 1, onFalse: { health: 'warning', message: true } },
}

const helmRelease: Record<string, Rule> = {
  Ready: {
    health: 'healthy',
    ready: true,
    order: 1,
    reasons: { UpgradeFailed: { health: 'unhealthy', ready: false, message: true } },
  },
  Remediated: { health: 'warning', message: true, order: 2, onFalse: {} },
  Reconciling: {
    status: 'Reconciling',
    ready: false,
    order: 3,
    reasons: { ProgressingWithRetry: { status: 'Reconciling', health: 'warning', ready: false, message: true } },
    onFalse: {},
  },
}

const unhealthyReason: Rule = { health: 'unhealthy', ready: false, message: true }
const fluxSource: Record<string, Rule> = {
  Ready: { health: 'healthy', ready: true, order: 1, onFalse: { health: 'unhealthy', ready: false, message: true } },
  Stalled: { ready: false, message: true, onFalse: {} },
  FetchFailed: { ...unhealthyReason, order: 2, onFalse: {} },
  IncludeUnavailable: { ...unhealthyReason, order: 2, onFalse: {} },
  StorageOperationFailed: { ...unhealthyReason, order: 2, onFalse: {} },
  SourceVerified: { onFalse: { health: 'warning', message: true } },
  ArtifactOutdated: { status: 'Updating', order: 2, onFalse: {} },
}

export const crossplaneRules: Record<string, Rule> = {
  Ready: {
    order: 1,
    ready: true,
    health: 'healthy',
    onFalse: { health: 'unknown', ready: false, message: true },
    reasons: {
      Available: { health: 'healthy', ready: true },
      Unavailable: { health: 'unhealthy', ready: false, message: true },
      Creating: { health: 'unknown', ready: false },
      Deleting: { health: 'unknown', ready: false },
    },
  },
  Synced: {
    order: 2,
    onFalse: { health: 'warning', message: true },
    reasons: { ReconcileError: { health: 'unhealthy', message: true } },
  },
  LastAsyncOperation: { onFalse: { health: 'warning', message: true } },
  Healthy: { health: 'healthy', ready: true },
  Installed: { health: 'healthy', ready: true },
}

const table: Record<string, Record<string, Rule>> = {
  'cert-manager.io/Certificate': issuing,
  'cert-manager.io/CertificateRequest': certificateRequest,
  'cert-manager.io/Issuer': ready,
  'cert-manager.io/ClusterIssuer': ready,
  'kustomize.toolkit.fluxcd.io/Kustomization': kustomization,
  'helm.toolkit.fluxcd.io/HelmRelease': helmRelease,
}
const sources = ['GitRepository', 'HelmRepository', 'HelmChart', 'Bucket', 'OCIRepository']
const images = ['ImageRepository', 'ImagePolicy', 'ImageUpdateAutomation']
for (const kind of sources) table[`source.toolkit.fluxcd.io/${kind}`] = fluxSource
for (const kind of images) table[`image.toolkit.fluxcd.io/${kind}`] = fluxSource

export const conditionTables: Readonly<Record<string, Record<string, Rule>>> = table
