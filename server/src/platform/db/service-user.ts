import { spawnSync } from 'node:child_process'

export interface ServiceUser {
  uid?: number
  gid?: number
}

/** PostgreSQL refuses to run as root, so root hands it to the unprivileged user every system has; others run it themselves. */
export const serviceUser: ServiceUser = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}

function idOf(flag: '-u' | '-g'): number {
  const found = Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
  return Number.isInteger(found) && found > 0 ? found : 65534
}

/** Whether the service user gets through to a file or folder. Asked as that user: modes alone do not tell (ACLs, mounts). */
export function reaches(path: string): boolean {
  if (serviceUser.uid === undefined) return true
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...serviceUser, cwd: '/' }).status === 0
}
