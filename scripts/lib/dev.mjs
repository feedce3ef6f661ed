// Two processes: the server from its sources, watched by tsx, and Vite's development server, which forwards /api to it.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { installPackages } from './install.mjs'
import { watchParents } from './parents.mjs'
import { Problem, root, say } from './say.mjs'

export async function run(args) {
  try {
    await installPackages('all')
  } catch (error) {
    say(error instanceof Problem ? error.message : error.stack)
    process.exit(1)
  }
  const port = process.env.PORT ?? '3000'
  const host = process.env.HOST ?? '127.0.0.1'
  const env = { ...process.env, PORT: port, QUARTERDECK_DEV_API: `http://${host}:${port}` }
  const tsx = [
    'node_modules/tsx/dist/cli.mjs',
    'watch',
    '--clear-screen=false',
    '--include',
    'server/{migrations,views}/**',
    'scripts/lib/run-source.mjs',
    'start',
    ...args,
  ]
  const server = child('server', tsx, env)
  const vite = child('console', ['node_modules/vite/bin/vite.js', '--config', 'web/vite.config.ts', 'web'], env)
  const children = [server, vite]

  let stopping = false
  const stop = () => {
    stopping = true
    for (const one of children) if (one.exitCode === null) one.kill('SIGTERM')
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  watchParents(stop)
  for (const one of children) {
    one.on('exit', (code) => {
      if (!stopping) stop()
      if (children.every((each) => each.exitCode !== null || each.signalCode !== null))
        process.exit(stopping ? 0 : (code ?? 1))
    })
  }
  say('The console is on http://127.0.0.1:5173 and reloads by itself; its calls go to the server on port ' + port + '.')
}

function child(name, args, env) {
  const process_ = spawn(process.execPath, [join(root, args[0]), ...args.slice(1)], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  process_.on('error', (error) => say(`${name}: ${error.message}`))
  return process_
}
