export * from '../../../platform/clients/digest.ts'
