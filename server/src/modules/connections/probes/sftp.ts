import { withSftp } from '../../../platform/clients/sftp.ts'
import type { Probe } from './probe.ts'

export const sftp: Probe = (run, target) => {
  const path = target.properties.path || '.'
  return withSftp(
    run,
    target,
    (session) =>
      new Promise<void>((resolve, reject) =>
        session.readdir(path, (error) => (error ? reject(new Error(`${path}: ${error.message}`)) : resolve())),
      ),
  )
}
