export type ChangeSeverity = 'critical' | 'high' | 'medium' | 'low' | 'info'

const exact: Record<'high' | 'medium' | 'info' | 'low', string> = {
  high: `BackOff KubeletIsDown NetworkNotReady NodeHasDiskPressure NodeHasInsufficientMemory NodeNotReady NodeNotSchedulable
    NodeUnreachable OOMKilled PodCrashLooping ProcessingError`,
  medium: 'ConntrackFull Error Evicted InvalidDiskCapacity NodeUnderMemoryPressure UnexpectedJob Unhealthy',
  info: `AttachVolume Deleted Killing Presented Started Starting Succeeded Success SuccessfulAttachVolume SuccessfulCreate
    SuccessfulDelete Sync Updated`,
  low: `AccessPolicy CreatedExternalResource DeletedExternalResource Drain EnableMFADevice EvictionThresholdMet
    ExceededGracePeriod ExternalExpanding ExternalProvisioning FailedCreatePodSandBox FailedDelete FailedKillPod
    FailedMount FailedPreStopHook FailedScheduling FailedToUpdateEndpoint FailedToUpdateEndpointSlices
    FileSystemResizeRequired FileSystemResizeSuccessful FreezeScheduled MissingJob ModifyLoadBalancerAttributes
    ModifyNetworkInterfaceAttribute NewArtifact NodeAllocatableEnforced NodeUnderDiskPressure NoPods NoSourceArtifact
    NotTriggerScaleUp NoVMEventScheduled OrderCreated OrderPending PreemptScheduled Provisioning RebootScheduled
    ReconciliationPaused RecreatingFailedPod RedeployScheduled RegisteredNode RegisterInstancesWithLoadBalancer RELOAD
    RemovingNode Requested Resizing ResourceCreated ResourceUpdated ScaleDown ScaledUpGroup ScalingPaused
    ScalingReplicaSet ScalingResumed SourceUnavailable TaintManagerEviction TerminateScheduled TriggeredScaleUp
    UpdatedExternalResource UpdatedLoadBalancer Upgrade VMEventScheduled`,
}
const byName = new Map<string, ChangeSeverity>(
  Object.entries(exact).flatMap(([severity, names]) =>
    names.split(/\s+/).map((name) => [name, severity as ChangeSeverity] as const),
  ),
)

/** First hit wins. */
const patterns: readonly [RegExp, ChangeSeverity][] = [
  [/IsDown$/, 'medium'],
  [/NetworkInterface$/, 'info'],
  [/NotReady$/, 'low'],
  [/Succeeded$/, 'info'],
  [/^(Add|Associate|Attach)/, 'low'],
  [/^(Authorize|Cannot)/, 'medium'],
  [/^(Change|Create|Delete|Detach)/, 'low'],
  [/^Failed/, 'medium'],
  [/^Put/, 'low'],
  [/^Revoke/, 'medium'],
  [/^(Run|Tag|Update)/, 'low'],
  [/Failed/, 'medium'],
]

/** Severity of a change that came without one; a diff has none. */
export function severityOf(changeType: string): ChangeSeverity | null {
  if (changeType === 'diff') return null
  return byName.get(changeType) ?? patterns.find(([pattern]) => pattern.test(changeType))?.[1] ?? 'info'
}
