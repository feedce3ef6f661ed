export * from '../../../platform/clients/ntlm.ts'
