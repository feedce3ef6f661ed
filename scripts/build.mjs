// Builds one side, or both: node scripts/build.mjs [server|console] [hash]
import { spawnSync } from 'node:child_process'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import {
  buildConsole,
  buildServer,
  consoleHash,
  consoleMark,
  serverEntries,
  serverEntry,
  serverHash,
} from './lib/build.mjs'
import { Problem, root, say } from './lib/say.mjs'

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
  await compressFiles(scratch)
  writeFileSync(join(scratch, basename(consoleMark)), name)
  const old = `${target}.old.${process.pid}`
  mkdirSync(target, { recursive: true })
  renameSync(target, old)
  renameSync(scratch, target)
  rmSync(old, { recursive: true, force: true })
}

const compressible = new Set(['.js', '.css', '.html', '.svg', '.json', '.webmanifest', '.wasm', '.txt'])

/** Once here, instead of on every request. */
async function compressFiles(folder) {
  const files = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))
  const worthIt = files.filter(
    (file) => compressible.has(extname(file)) && statSync(file).isFile() && statSync(file).size > 1024,
  )
  const brotli = () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
  await Promise.all(
    worthIt.flatMap((file) => [
      pipeline(createReadStream(file), brotli(), createWriteStream(`${file}.br`)),
      pipeline(createReadStream(file), createGzip({ level: 9 }), createWriteStream(`${file}.gz`)),
    ]),
  )
}

try {
  if (what === 'server') await server(hash)
  else if (what === 'console') await webConsole(hash)
  else {
    await buildServer()
    await buildConsole()
  }
} catch (error) {
  say(error instanceof Problem ? error.message : error.stack)
  process.exit(1)
}
