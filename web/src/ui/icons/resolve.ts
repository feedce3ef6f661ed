/**
 * Which icon a name of the data stands for. Documents name icons freely (kubernetes, k8s-pod, aws-ec2, Postgres) and
 * config types carry theirs inside (Kubernetes::Pod, AWS::EC2::Instance); all end at one of our own names.
 */

const aliases: Record<string, string> = {}
const same = (icon: string, names: string) => names.split(' ').forEach((name) => (aliases[name] = icon))

same('kubernetes', 'k8s kube cluster eks aks gke')
same('container', 'docker pod pods containers image oci')
same(
  'layers',
  'deployment replicaset daemonset statefulset rollout replicationcontroller autoscalinggroup nodegroup scaleset',
)
same('clock', 'cronjob schedule timer cron')
same('play', 'job run playbook')
same('network', 'service endpoint endpoints endpointslice loadbalancer elb alb nlb elasticloadbalancingv2 targetgroup')
same('route', 'ingress gateway httproute virtualservice route53 dnszone hostedzone cloudfront apigateway')
same('settings', 'configmap config configuration parameter')
same('key', 'secret accesskey sshkey keypair kms certificate cert tls secretsmanager keyvault')
same('box', 'namespace resourcegroup project package component')
same('server', 'node instance ec2 vm virtualmachine host machine compute linux baremetal')
same(
  'disk',
  'persistentvolume persistentvolumeclaim pv pvc ebs volume storage storageclass snapshot efs filesystem managedisk disk',
)
same('user', 'serviceaccount person people iam iamuser identity')
same('users', 'team teams group groups clusterrolebinding rolebinding')
same(
  'shield',
  'role clusterrole policy networkpolicy podsecuritypolicy securitygroup waf trivy vault security guardduty',
)
same('scale', 'horizontalpodautoscaler hpa verticalpodautoscaler')
same('blocks', 'customresourcedefinition crd terraform cloudformation stack module')
same('activity', 'event events health check canary icmp ping cloudwatch monitor heartbeat')
same('bucket', 's3 bucket gcs blob blobstorage objectstorage artifact artifacts')
same(
  'database',
  'rds db sql postgresql postgres mysql mariadb sqlserver sql_server mssql oracle dynamodb cosmosdb aurora database sqlite',
)
same('redis', 'redis elasticache memcached cache')
same('mongo', 'mongodb mongo documentdb')
same('elasticsearch', 'elastic opensearch elasticsearch')
same('function', 'lambda function azurefunction cloudfunction')
same('queue', 'sqs sns queue topic kafka nats eventbridge kinesis pubsub servicebus')
same('rabbit', 'rabbitmq amqp')
same('globe', 'http https url web website site')
same('signpost', 'dns')
same('cable', 'tcp socket port')
same('terminal', 'exec shell script bash command ssh')
same('git', 'git gitrepository repository repo gitops branch commit gitlab bitbucket')
same('github', 'github githubactions githubworkflow github_actions')
same('azure', 'azure azuredevops azure_devops')
same('gcp', 'gcp google google_cloud googlecloud')
same('aws', 'aws amazon awsconfig awsconfigrule aws_ams_services_request aws_support')
same('helm', 'helm helmrelease helmrepository chart')
same('flux', 'flux kustomization kustomize')
same('workflow', 'argo argocd workflow pipeline deployment_job topology')
same('flame', 'prometheus alertmanager alert')
same('chart', 'grafana metrics dashboard datadog dynatrace newrelic loki')
same('mail', 'email mail smtp')
same('hash', 'slack slackwebhook mattermost matrix rocketchat zulip zulip_chat')
same('message', 'discord google_chat msteams ms_teams chat')
same('send', 'telegram')
same('siren', 'opsgenie pagerduty incident incidents incidentrule incident_rules')
same('bell', 'pushover pushbullet ntfy notification notifications ifttt')
same('webhook', 'webhook generic_webhook')
same('directory', 'ldap activedirectory')
same('share', 'smb nfs')
same('upload', 'sftp ftp')
same('folder', 'folder file directory kubernetesfile')
same('archive', 'restic backup velero')
same('gauge', 'jmeter loadtest')
same('flask', 'junit test tests')
same('windows', 'windows')
same('jira', 'jira')
same('ticket', 'service_now servicenow ca redhat ms_planner')
same('subnet', 'vpc subnet network internetgateway natgateway routetable networkinterface vnet virtualnetwork')
same('logs', 'logs log logging logbackend logging_backends')
same('cost', 'cost costs billing price')
same('recommendation', 'recommendation insight analysis')
same('wrench', 'technical_debt technicaldebt integration integrations')
same('scraper', 'config_scraper config_scrapers scraper scrapeconfig')
same('agent', 'agent agents')
same('plug', 'connection connections')

// The general icon of everything that starts with a word, when nothing more exact is known.
const families = [
  'kubernetes',
  'aws',
  'azure',
  'gcp',
  'github',
  'git',
  'flux',
  'helm',
  'argo',
  'terraform',
  'postgres',
  'mysql',
  'prometheus',
  'docker',
  'windows',
  'jira',
  'slack',
]

const clean = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9_]/g, '')

/** Every icon name we draw, for pickers. */
export const iconNames = [...new Set(Object.values(aliases))].sort()
const drawn = new Set(iconNames)

function lookUp(name: string): string | undefined {
  const key = clean(name)
  if (drawn.has(key)) return key
  return aliases[key] ?? (key.endsWith('s') ? aliases[key.slice(0, -1)] : undefined)
}

/** The icon of a free name; undefined when it says nothing to us. */
export function resolveIcon(name: string | null | undefined): string | undefined {
  if (!name) return undefined
  const whole = lookUp(name)
  if (whole) return whole
  const parts = name.split(/::|[-/\s.]+/).filter(Boolean)
  // The last part is the most exact: AWS::EC2::Instance is an instance before it is anything of AWS.
  for (const part of parts.toReversed()) {
    const icon = lookUp(part)
    if (icon && parts.length > 1 && !families.includes(clean(part))) return icon
  }
  const family = families.find((word) => clean(parts[0] ?? '').startsWith(word))
  return family ? (lookUp(family) ?? undefined) : undefined
}

/** The provider of a config type: Kubernetes::Pod → kubernetes. */
export function providerOf(type: string): string | undefined {
  const [provider] = type.split('::')
  return type.includes('::') && provider ? lookUp(provider) : undefined
}
