// Builds one side, or both: node scripts/build.mjs [server|console] [hash]
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  buildConsole,
  buildServer,
  consoleHash,
  consoleMark,
  serverEntries,
  serverEntry,
  serverHash,
} from './lib/build.mjs'
import { root, say } from './lib/say.mjs'

const [what, hash] = process.argv.slice(2)

async function server(name = serverHash()) {
  const { rolldown } = await import('rolldown')
  const target = join(serverEntry(name), '..')
  const scratch = `${target}.${process.pid}`
  const bundle = await rolldown({
    input: serverEntries(),
    platform: 'node',
    // Packages stay where npm put them; only our own sources, the contract's included, are bundled.
    external: (id) =>
      !id.startsWith('.') && !id.startsWith('/') && !/^[A-Za-z]:/.test(id) && !id.startsWith('@quarterdeck/contract'),
    logLevel: 'warn',
  })
  await bundle.write({
    dir: scratch,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  })
  await bundle.close()
  if (existsSync(target)) rmSync(scratch, { recursive: true, force: true })
  else renameSync(scratch, target)
  removeOldBuilds(join(root, 'server/dist'), 3)
}

/** A running server still opens files of the build it was started from, so the last few stay. */
function removeOldBuilds(folder, keep) {
  const builds = readdirSync(folder).map((name) => ({
    path: join(folder, name),
    time: statSync(join(folder, name)).mtimeMs,
  }))
  for (const build of builds.sort((a, b) => b.time - a.time).slice(keep))
    rmSync(build.path, { recursive: true, force: true })
}

async function webConsole(name = consoleHash()) {
  const target = join(root, 'web/dist')
  const scratch = `${target}.${process.pid}`
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const run = spawnSync(process.execPath, [vite, 'build', '--outDir', scratch, '--emptyOutDir'], {
    cwd: join(root, 'web'),
    stdio: 'inherit',
  })
  if (run.status !== 0) process.exit(1)
  writeFileSync(join(scratch, basename(consoleMark)), name)
  const old = `${target}.old.${process.pid}`
  mkdirSync(target, { recursive: true })
  renameSync(target, old)
  renameSync(scratch, target)
  rmSync(old, { recursive: true, force: true })
  removeAbandonedBuilds()
}

/** A build that was killed left its half-written folder behind. */
function removeAbandonedBuilds() {
  for (const name of readdirSync(join(root, 'web'))) {
    const pid = /^dist\.(?:old\.)?(\d+)$/.exec(name)?.[1]
    if (pid && !isAlive(Number(pid))) rmSync(join(root, 'web', name), { recursive: true, force: true })
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

try {
  if (what === 'server') await server(hash)
  else if (what === 'console') await webConsole(hash)
  else {
    await buildServer()
    await buildConsole()
  }
} catch (error) {
  say(error.message)
  process.exit(1)
}
