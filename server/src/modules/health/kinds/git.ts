export * from '../../../platform/clients/git.ts'
