import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { InvalidTarget } from '../../../platform/clients/run.ts'
import { need, type Probe } from './probe.ts'

export const folder: Probe = async (_run, { properties, url }) => {
  const path = need(properties.path || url, 'the path').replace(/^file:\/\//, '')
  if (!isAbsolute(path)) throw new InvalidTarget(`the path ${path} does not begin at the root`)
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === 'ENOENT' ? `${path} does not exist` : `${path} cannot be looked at: ${error.code}`)
  })
  if (!found.isDirectory()) throw new Error(`${path} is not a folder`)
}
