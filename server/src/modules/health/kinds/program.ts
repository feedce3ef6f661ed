export * from '../../../platform/clients/program.ts'
