import { aws } from './aws.ts'
import { azure } from './azure.ts'
import { azureDevops } from './azure-devops.ts'
import { custom } from './custom.ts'
import { exec } from './exec.ts'
import { file } from './file.ts'
import { githubActions } from './github-actions.ts'
import { http } from './http.ts'
import type { ScraperKind } from './kind.ts'
import { kubernetes } from './kubernetes.ts'
import { kubernetesFile } from './kubernetes-file.ts'
import { quarterdeck } from './quarterdeck.ts'
import { sql } from './sql.ts'
import { terraform } from './terraform.ts'
import { trivy } from './trivy.ts'

/** Every kind that runs. A new kind is a file here, its schema in the contract, and a line in both indexes. */
export const scraperKinds = [
  aws,
  azure,
  azureDevops,
  custom,
  exec,
  file,
  githubActions,
  http,
  kubernetes,
  kubernetesFile,
  quarterdeck,
  sql,
  terraform,
  trivy,
] as unknown as ScraperKind[]

const byKey = new Map(scraperKinds.map((kind) => [kind.key, kind]))
export const scraperKind = (key: string): ScraperKind | undefined => byKey.get(key)
