export * from '../../../platform/clients/ntlm-exchange.ts'
