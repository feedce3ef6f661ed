export * from '../../../platform/clients/sockets.ts'
