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
import { sql } from './sql.ts'
import { terraform } from './terraform.ts'
import { thisServer } from './this-server.ts'
import { trivy } from './trivy.ts'

export type { ScraperKind }

/** Every kind that can be added, by label. */
export const kinds: readonly ScraperKind[] = [
  kubernetes,
  azure,
  kubernetesFile,
  sql,
  trivy,
  aws,
  file,
  githubActions,
  http,
  azureDevops,
  exec,
  terraform,
  thisServer,
  custom,
].toSorted((one, two) => one.label.localeCompare(two.label, 'en'))
