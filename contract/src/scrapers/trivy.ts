import { z } from 'zod'
import { extraction, SecretText } from './common.ts'

const words = (what: string) =>
  z
    .array(z.string().regex(/^[\w.:/-]+$/, 'must be a single word'))
    .optional()
    .describe(what)

export const TrivyScraper = z.looseObject({
  ...extraction,
  version: z.string().optional().describe('Version the installed program must have'),
  compliance: words('Compliance reports, k8s-cis, k8s-nsa …').describe(
    'Kept with the spec; compliance reports name no objects',
  ),
  ignoredLicenses: words('Licences that are no finding'),
  ignoreUnfixed: z.boolean().optional().describe('Only vulnerabilities that are fixed in some version'),
  licenseFull: z.boolean().optional().describe('Look for licence texts in source code too'),
  severity: words('Only these: CRITICAL, HIGH, MEDIUM, LOW, UNKNOWN'),
  vulnType: words('os, library'),
  scanners: words('vuln, config, secret, rbac, license'),
  timeout: z
    .string()
    .regex(/^\d+[smh]([\dsmh]+)?$/, 'must be a duration such as 30m')
    .optional()
    .describe('How long it may run, 60m unless given'),
  kubernetes: z
    .looseObject({
      components: words('workload, infra'),
      context: z.string().optional().describe('Context of the kubeconfig'),
      kubeconfig: SecretText.optional(),
      namespace: z.string().optional().describe('All unless given'),
      clusterName: z.string().optional().describe('Name of the cluster as the kubernetes scraper has it'),
    })
    .default({}),
})
export type TrivyScraper = z.infer<typeof TrivyScraper>
