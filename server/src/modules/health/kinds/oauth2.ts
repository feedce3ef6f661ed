export * from '../../../platform/clients/oauth2.ts'
