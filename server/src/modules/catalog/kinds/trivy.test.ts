import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aRun, scrapeAll } from './testing.ts'
import { trivyArguments } from './trivy/arguments.ts'
import { trivy } from './trivy.ts'

/** A program of that name which prints what the real one prints, and notes how it was called. */
let folder: string
const path = process.env.PATH
const report = {
  ClusterName: 'kind-prod',
  Resources: [
    {
      Namespace: 'shop',
      Kind: 'Deployment',
      Name: 'web',
      Results: [
        {
          Target: 'nginx:1.25 (debian 12.4)',
          Class: 'os-pkgs',
          Type: 'debian',
          Vulnerabilities: [
            {
              VulnerabilityID: 'CVE-2024-0001',
              PkgName: 'libssl3',
              InstalledVersion: '3.0.11',
              FixedVersion: '3.0.13',
              Severity: 'CRITICAL',
              Title: 'openssl: <boom>',
              Description: 'It is bad',
              PrimaryURL: 'https://avd.aquasec.com/nvd/cve-2024-0001',
            },
            { VulnerabilityID: 'CVE-2024-0002', PkgName: 'zlib1g', InstalledVersion: '1.2', Severity: 'UNKNOWN' },
          ],
        },
        {
          Target: 'Deployment/web',
          Class: 'config',
          Type: 'kubernetes',
          Misconfigurations: [
            {
              ID: 'KSV001',
              AVDID: 'AVD-KSV-0001',
              Title: 'Process can elevate its own privileges',
              Message: 'Set allowPrivilegeEscalation to false',
              Resolution: 'Set it',
              Severity: 'MEDIUM',
              Status: 'FAIL',
            },
            { ID: 'KSV002', AVDID: 'AVD-KSV-0002', Title: 'fine', Severity: 'LOW', Status: 'PASS' },
          ],
        },
        {
          Target: '/app/.env',
          Class: 'secret',
          Secrets: [
            {
              RuleID: 'aws-access-key-id',
              Category: 'AWS',
              Severity: 'CRITICAL',
              Title: 'AWS Access Key ID',
              StartLine: 1,
              EndLine: 1,
              Match: 'KEY=hunter2hunter2',
            },
          ],
        },
        {
          Target: 'OS Packages',
          Class: 'license',
          Licenses: [{ Severity: 'HIGH', Category: 'restricted', PkgName: 'bash', Name: 'GPL-3.0' }],
        },
      ],
    },
    { Namespace: '', Kind: 'Node', Name: 'node-1', Results: [], Error: 'node collector timed out' },
  ],
}
const compliance = {
  ID: 'k8s-nsa-1.0',
  Title: 'NSA Hardening Guidance v1.0',
  SummaryControls: [
    { ID: '1.0', Name: 'Non-root containers', Severity: 'MEDIUM', TotalFail: 8 },
    { ID: '1.1', Name: 'Immutable file systems', Severity: 'LOW', TotalFail: 0 },
  ],
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qd-trivy-test-'))
  await writeFile(join(folder, 'report.json'), JSON.stringify(report))
  await writeFile(join(folder, 'compliance.json'), JSON.stringify(compliance))
  const script = `#!/bin/sh
if [ "$1" = --version ]; then echo "Version: 0.57.1"; exit 0; fi
printf '%s\\n' "$@" > ${folder}/asked
for arg in "$@"; do
  case "$arg" in
    --kubeconfig=*) cat "\${arg#--kubeconfig=}" > ${folder}/kubeconfig 2>/dev/null ;;
    --compliance=*) cat ${folder}/compliance.json; exit 0 ;;
    --severity=BROKEN) echo 'FATAL get k8s artifacts error: unauthorized' >&2; exit 1 ;;
    --severity=NOTHING) echo 'not json'; exit 0 ;;
  esac
done
cat ${folder}/report.json
`
  await writeFile(join(folder, 'trivy'), script)
  await chmod(join(folder, 'trivy'), 0o755)
  process.env.PATH = `${folder}${delimiter}${path}`
})
afterAll(async () => {
  process.env.PATH = path
  await rm(folder, { recursive: true, force: true })
})

test('findings are insights of the objects they are about, with the secret itself left out', async () => {
  const all = await scrapeAll(trivy, {
    severity: ['CRITICAL', 'HIGH'],
    scanners: ['vuln', 'misconfig'],
    ignoreUnfixed: true,
    vulnType: ['os'],
    kubernetes: { namespace: 'shop', context: 'prod' },
  })
  expect(all.failure).toBeUndefined()
  expect(all.analyses.map(({ analyzer, severity }) => [analyzer, severity])).toEqual([
    ['CVE-2024-0001', 'critical'],
    ['CVE-2024-0002', 'info'],
    ['AVD-KSV-0001', 'medium'],
    ['secret aws-access-key-id /app/.env', 'critical'],
    ['license GPL-3.0 bash', 'high'],
  ])
  expect(all.analyses[0]).toMatchObject({
    item: { externalId: 'Kubernetes/Deployment/shop/web', type: 'Kubernetes::Deployment' },
    analysisType: 'security',
    summary: 'openssl: <boom>',
    message:
      'libssl3 3.0.11 in nginx:1.25 (debian 12.4), fixed in 3.0.13<br>It is bad<br>https://avd.aquasec.com/nvd/cve-2024-0001',
  })
  expect(JSON.stringify(all.results)).not.toContain('hunter2')
  // What was not looked at must not count as resolved.
  expect(all.errors).toEqual([{ message: 'node collector timed out', item: 'Node/node-1' }])
  expect((await readFile(join(folder, 'asked'), 'utf8')).trim().split('\n')).toEqual([
    'k8s',
    '--format=json',
    '--report=all',
    '--quiet',
    '--timeout=60m',
    '--severity=CRITICAL,HIGH',
    '--scanners=vuln,misconfig',
    '--pkg-types=os',
    '--ignore-unfixed',
    '--include-namespaces=shop',
    '--',
    'prod',
  ])
})

test('with the name of the cluster its objects are found among those of others; failed controls are insights of it', async () => {
  const kubeconfig = 'apiVersion: v1\nkind: Config\n'
  const all = await scrapeAll(trivy, { compliance: ['k8s-nsa-1.0'], kubernetes: { clusterName: 'prod', kubeconfig } })
  expect(all.analyses[0]!.item).toEqual({
    externalId: 'Kubernetes/prod/Deployment/shop/web',
    type: 'Kubernetes::Deployment',
  })
  expect(all.analyses.at(-1)).toMatchObject({
    item: { externalId: 'Kubernetes/Cluster/prod', type: 'Kubernetes::Cluster' },
    analyzer: 'k8s-nsa-1.0 1.0',
    analysisType: 'compliance',
    severity: 'medium',
  })
  expect(all.analyses.filter(({ analysisType }) => analysisType === 'compliance')).toHaveLength(1)
  expect(await readFile(join(folder, 'kubeconfig'), 'utf8')).toBe(kubeconfig)
})

test('a failure, no JSON, another version and a missing program say so', async () => {
  expect((await scrapeAll(trivy, { severity: ['BROKEN'] })).failure?.message).toBe(
    'trivy failed: exit code 1: FATAL get k8s artifacts error: unauthorized',
  )
  expect((await scrapeAll(trivy, { severity: ['NOTHING'] })).failure?.message).toBe('trivy printed no JSON: not json')
  expect((await scrapeAll(trivy, { version: '0.49' })).failure?.message).toBe(
    'trivy 0.49 is wanted, but 0.57.1 is installed',
  )
  expect((await scrapeAll(trivy, { version: 'v0.57' })).failure).toBeUndefined()
  process.env.PATH = '/nowhere'
  expect((await scrapeAll(trivy, {}, aRun())).failure?.message).toContain('the program trivy is not installed')
  process.env.PATH = `${folder}${delimiter}${path}`
  expect(trivy.schema.safeParse({ severity: ['HIGH --exec'] }).success).toBe(false)
})

test('older versions have other flags and another report', async () => {
  const spec = trivy.schema.parse({
    vulnType: ['os'],
    kubernetes: { namespace: 'shop', context: 'prod', components: ['workload'] },
  })
  expect(trivyArguments(spec, { version: '0.49.1' })).toEqual([
    'k8s',
    '--format=json',
    '--report=all',
    '--quiet',
    '--timeout=60m',
    '--vuln-type=os',
    '--components=workload',
    '--namespace=shop',
    '--context=prod',
    'all',
  ])
})
