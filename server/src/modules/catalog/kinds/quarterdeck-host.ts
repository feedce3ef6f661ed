import { readFile, statfs } from 'node:fs/promises'
import {
  arch,
  cpus,
  freemem,
  hostname,
  loadavg,
  networkInterfaces,
  platform,
  release,
  totalmem,
  version,
} from 'node:os'
import { resolve } from 'node:path'
import type { ScrapedItem, ScrapeRun } from './kind.ts'
import { hostRef } from './quarterdeck-names.ts'

const nearlyFull = 0.85
const full = 0.95

/** The machine, its file systems and its networks. What moves all the time is a property, so that it is no change. */
export async function* hostItems(run: ScrapeRun): AsyncIterable<ScrapedItem> {
  const processors = cpus()
  // Of the last quarter of an hour: a burst is no state.
  const load = loadavg()[2] ?? 0
  const isOverloaded = load > processors.length * 4
  yield {
    id: hostRef().externalId,
    type: hostRef().type,
    configClass: 'Host',
    name: hostname(),
    status: isOverloaded ? 'Overloaded' : 'Running',
    health: isOverloaded ? 'warning' : 'healthy',
    source: 'this host',
    labels: { os: platform(), arch: arch() },
    config: {
      hostname: hostname(),
      platform: platform(),
      distribution: await distribution(),
      architecture: arch(),
      kernel: { release: release(), version: version() },
      processors: { count: processors.length, model: processors[0]?.model.trim() },
      memory: totalmem(),
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
    properties: [
      { name: 'Memory', value: totalmem() - freemem(), max: totalmem(), unit: 'bytes', headline: true },
      { name: 'Processors', value: processors.length },
      { name: 'Load', text: load.toFixed(2) },
    ],
  }
  yield* fileSystems(run)
  for (const [name, addresses] of Object.entries(networkInterfaces())) {
    const outside = (addresses ?? []).filter(({ internal }) => !internal)
    if (outside.length === 0) continue
    yield {
      id: `${hostRef().externalId}/network/${name}`,
      type: 'Host::NetworkInterface',
      configClass: 'Network',
      name,
      status: 'Up',
      health: 'healthy',
      source: 'this host',
      config: { name, mac: outside[0]!.mac, addresses: outside.map(({ cidr, family }) => ({ address: cidr, family })) },
      parents: [hostRef()],
    }
  }
}

async function distribution(): Promise<string | undefined> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '')
  return /^PRETTY_NAME="?([^"\n]*)"?$/m.exec(text)?.[1]
}

/** The root, and where the server keeps its data when that is another one. */
async function* fileSystems(run: ScrapeRun): AsyncIterable<ScrapedItem> {
  const seen = new Set<string>()
  for (const [name, path] of [
    ['root', '/'],
    ['data', resolve(run.ctx.config.QUARTERDECK_DATA_DIR)],
  ] as const) {
    const found = await statfs(path).catch(() => undefined)
    if (!found || found.blocks === 0) continue
    const key = `${found.type} ${found.blocks} ${found.files}`
    if (seen.has(key)) continue
    seen.add(key)
    const size = found.blocks * found.bsize
    const used = size - found.bavail * found.bsize
    const share = used / size
    const percent = `${Math.round(share * 100)} %`
    yield {
      id: `${hostRef().externalId}/filesystem/${name}`,
      type: 'Host::FileSystem',
      configClass: 'Storage',
      name: path,
      status: share >= full ? 'Full' : share >= nearlyFull ? 'Nearly full' : 'Available',
      health: share >= full ? 'unhealthy' : share >= nearlyFull ? 'warning' : 'healthy',
      source: 'this host',
      config: { path, size, blockSize: found.bsize },
      properties: [{ name: 'Used', value: used, max: size, unit: 'bytes', headline: true }],
      parents: [hostRef()],
      ...(share >= nearlyFull && {
        analyses: [
          {
            analyzer: 'nearly-full',
            analysisType: 'availability',
            severity: share >= full ? 'critical' : 'medium',
            source: 'Quarterdeck',
            summary: `${percent} used`,
            message: `${path} is ${percent} full. A full disk stops the database.`,
          },
        ],
      }),
    }
  }
}
