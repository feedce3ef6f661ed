import { z } from 'zod'
import { connected, extraction, SecretText } from './common.ts'

export const AzureScraper = z.looseObject({
  ...extraction,
  ...connected,
  subscriptionID: z.string().min(1).describe('Subscription whose resources are read'),
  organisation: z.string().optional().describe('Name of the organisation, kept with the subscription'),
  tenantID: z.string().optional().describe('Tenant of the application; that of the connection unless given'),
  clientID: SecretText.optional().describe('Application that reads'),
  clientSecret: SecretText.optional(),
  endpoint: z.string().optional().describe('Instead of https://management.azure.com, for other clouds'),
  loginEndpoint: z.string().optional().describe('Instead of https://login.microsoftonline.com, for other clouds'),
  exclusions: z
    .looseObject({
      activityLogs: z.array(z.string()).optional().describe('Operations of the activity log that are left out; with *'),
    })
    .optional(),
})
export type AzureScraper = z.infer<typeof AzureScraper>
