import { z } from 'zod'
import { common, templated } from './common.ts'

export const JunitCheck = z.looseObject({
  ...common,
  ...templated,
  testResults: z.string().min(1).describe('Folder with the XML results'),
  spec: z.looseObject({}).optional().describe('Pod that makes the results'),
  timeout: z.number().int().min(1).default(5).describe('Minutes'),
  artifacts: z.array(z.object({ path: z.string() })).optional(),
})
export type JunitCheck = z.infer<typeof JunitCheck>
