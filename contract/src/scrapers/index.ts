import type { z } from 'zod'
import { AwsScraper } from './aws.ts'
import { AzureScraper } from './azure.ts'
import { AzureDevopsScraper } from './azure-devops.ts'
import { CustomScraper } from './custom.ts'
import { ExecScraper } from './exec.ts'
import { FileScraper } from './file.ts'
import { GithubActionsScraper } from './github-actions.ts'
import { HttpScraper } from './http.ts'
import { KubernetesScraper } from './kubernetes.ts'
import { KubernetesFileScraper } from './kubernetes-file.ts'
import { QuarterdeckScraper } from './quarterdeck.ts'
import { SqlScraper } from './sql.ts'
import { TerraformScraper } from './terraform.ts'
import { TrivyScraper } from './trivy.ts'

/** Every kind of scraper that runs, by its key in a scraper spec, with what people call it. */
export const scraperSchemas = {
  file: { label: 'File', schema: FileScraper },
  http: { label: 'HTTP', schema: HttpScraper },
  sql: { label: 'SQL', schema: SqlScraper },
  exec: { label: 'Script', schema: ExecScraper },
  custom: { label: 'Custom', schema: CustomScraper },
  quarterdeck: { label: 'This server', schema: QuarterdeckScraper },
  kubernetes: { label: 'Kubernetes', schema: KubernetesScraper },
  kubernetesFile: { label: 'Kubernetes file', schema: KubernetesFileScraper },
  aws: { label: 'AWS', schema: AwsScraper },
  azure: { label: 'Azure', schema: AzureScraper },
  azureDevops: { label: 'Azure DevOps', schema: AzureDevopsScraper },
  githubActions: { label: 'GitHub Actions', schema: GithubActionsScraper },
  terraform: { label: 'Terraform', schema: TerraformScraper },
  trivy: { label: 'Trivy', schema: TrivyScraper },
} as const satisfies Record<string, { label: string; schema: z.ZodType }>

export type ScraperKindKey = keyof typeof scraperSchemas
