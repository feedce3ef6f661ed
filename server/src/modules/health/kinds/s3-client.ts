export * from '../../../platform/cloud/s3.ts'
