export * from '../../../platform/cloud/google.ts'
