/** What kind of finding a rule of AWS Config makes, by the words of its name; the rest is other and of no weight. */
const known: readonly [words: RegExp, type: string, severity: string][] = [
  [/instance.*no-public-ip|public-ip/, 'security', 'critical'],
  [/s3-.*public-(read|write)|public-access-block|bucket-level-public/, 'security', 'critical'],
  [/root-account|root-access-key/, 'security', 'critical'],
  [/restricted-(ssh|common-ports)|incoming-ssh|vpc-sg-open|default-security-group-closed/, 'security', 'critical'],
  [
    /publicly-(accessible|readable|writable)|snapshots?-public|prohibit-public-access|public-access-check/,
    'security',
    'critical',
  ],
  [/mfa-enabled|mfa-/, 'security', 'high'],
  [/access-keys?-rotated|credentials?-unused|unused-credentials/, 'security', 'high'],
  [/encrypt|ssl-requests|kms-|tls|https-only|certificate-expiration/, 'security', 'high'],
  [/guardduty|securityhub|cloudtrail|cloud-trail|flow-logs|waf-/, 'security', 'high'],
  [/iam-|password-policy|imdsv2|secretsmanager|secrets-manager/, 'security', 'medium'],
  [/log(s|ging)?-enabled|log-file-validation/, 'compliance', 'medium'],
  [/required-tags|approved-amis|desired-instance/, 'compliance', 'low'],
  [
    /multi-az|backup|in-backup-plan|deletion-protection|point-in-time|replication|versioning|cross-zone/,
    'reliability',
    'medium',
  ],
  [/autoscaling|health-?check|dead-letter|minor-version-upgrade|managed-updates|patch/, 'reliability', 'medium'],
  [/unattached|unused|stopped-instance|eip-attached|in-use-volume|volume-inuse/, 'cost', 'low'],
  [/optimi[sz]ed|cache-enabled|throughput/, 'performance', 'low'],
]

export function classify(rule: string): { analysisType: string; severity: string } {
  const name = rule.toLowerCase().replaceAll(/[_ ]/g, '-')
  const [, analysisType = 'other', severity = 'info'] = known.find(([words]) => words.test(name)) ?? []
  return { analysisType, severity }
}
