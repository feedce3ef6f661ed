import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../server/src/platform/db/free-port.ts'

export interface Peer {
  url: string
  pid: number
  stop(): Promise<void>
}

/** The programs this bench stands beside; on Debian as root they are installed when missing. */
export function requirePrograms(): void {
  const wanted: [program: string, debian: string][] = [
    ['/usr/sbin/nginx', 'nginx-light'],
    ['/usr/bin/prometheus-blackbox-exporter', 'prometheus-blackbox-exporter'],
  ]
  const missing = wanted.filter(([program]) => !existsSync(program)).map(([, name]) => name)
  if (missing.length === 0) return
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) {
    throw new Error(`This bench needs ${missing.join(' and ')}: install them first.`)
  }
  process.stderr.write(`Installing ${missing.join(' and ')} …\n`)
  // The packages would start services of their own; nothing here wants them.
  const policy = '/usr/sbin/policy-rc.d'
  const ours = !existsSync(policy)
  if (ours) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  } finally {
    if (ours) execFileSync('rm', ['-f', policy])
  }
}

export async function startNginx(folder: string): Promise<Peer> {
  const port = await freePort()
  mkdirSync(join(folder, 'nginx'), { recursive: true })
  const file = join(folder, 'nginx/nginx.conf')
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/nginx/${name};`)
    .join(' ')
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/nginx/pid; error_log ${folder}/nginx/error.log;
events { worker_connections 2048; }
http { access_log off; ${temp} keepalive_requests 1000000;
  server { listen 127.0.0.1:${port}; location / { default_type application/json; return 200 '{"items":3,"status":"ok"}'; } } }`,
  )
  const child = spawn('/usr/sbin/nginx', ['-c', file], { stdio: 'ignore' })
  return peer(child, `http://127.0.0.1:${port}/`)
}

export async function startBlackbox(folder: string): Promise<Peer> {
  const port = await freePort()
  const file = join(folder, 'blackbox.yml')
  writeFileSync(
    file,
    'modules:\n  http_2xx:\n    prober: http\n    timeout: 5s\n    http:\n      preferred_ip_protocol: ip4\n',
  )
  const child = spawn(
    '/usr/bin/prometheus-blackbox-exporter',
    [`--config.file=${file}`, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'],
    { stdio: 'ignore' },
  )
  return peer(child, `http://127.0.0.1:${port}`)
}

async function peer(child: ChildProcess, url: string): Promise<Peer> {
  for (let tries = 0; ; tries++) {
    const answers = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    )
    if (answers) break
    if (tries > 200 || child.exitCode !== null) throw new Error(`${child.spawnfile} does not answer`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    url,
    pid: child.pid!,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}
