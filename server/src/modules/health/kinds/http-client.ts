export * from '../../../platform/clients/http.ts'
