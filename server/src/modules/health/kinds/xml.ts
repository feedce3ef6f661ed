export * from '../../../platform/clients/xml.ts'
