// Runs the checks against real servers from Debian's packages, each on loopback with its own folder and port.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { failureLines, vitestFailures } from './lib/failures.mjs'
import { startServers } from './test-servers/start.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const needed = {
  nginx: '/usr/sbin/nginx',
  fcgiwrap: '/usr/sbin/fcgiwrap',
  'mariadb-server': '/usr/sbin/mariadbd',
  'redis-server': '/usr/bin/redis-server',
  slapd: '/usr/sbin/slapd',
  'openssh-server': '/usr/sbin/sshd',
  samba: '/usr/sbin/smbd',
  bind9: '/usr/sbin/named',
  prometheus: '/usr/bin/prometheus',
  'prometheus-alertmanager': '/usr/bin/prometheus-alertmanager',
  'iputils-ping': '/usr/bin/ping',
  git: '/usr/bin/git',
  restic: '/usr/bin/restic',
  openssl: '/usr/bin/openssl',
}

function skip(reason) {
  process.stdout.write(`test:servers skipped: ${reason}\n`)
  process.exit(0)
}

if (!existsSync('/etc/debian_version')) skip('the servers come from Debian packages, and this is not Debian')
if (process.getuid?.() !== 0) skip('installing and starting the servers needs root')
install(Object.entries(needed).flatMap(([name, file]) => (existsSync(file) ? [] : [name])))

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-servers-'))
const running = []
const stop = () => {
  for (const child of running.splice(0)) {
    // Each leads a process group of its own, so its workers end with it.
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      continue
    }
  }
  rmSync(folder, { recursive: true, force: true })
}
process.on('exit', stop)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const addresses = await startServers(folder, (child) => running.push(child))
const report = join(folder, 'report.json')
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const code = await new Promise((resolve) => {
  const env = { ...process.env, QUARTERDECK_TEST_SERVERS: JSON.stringify(addresses) }
  const args = [vitest, 'run', '--project', 'servers', ...reporters, ...process.argv.slice(2)]
  spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).once('close', resolve)
})
if (existsSync(report)) {
  const results = JSON.parse(readFileSync(report, 'utf8'))
  const failures = vitestFailures(results)
  process.stdout.write(`${failureLines(failures)}${results.numPassedTests} passed, ${failures.length} failed\n`)
}
process.exit(code ?? 1)

function install(missing) {
  if (missing.length === 0) return
  process.stdout.write(`installing ${missing.join(', ')}\n`)
  // Packages would start their own servers with the machine's configuration; ours are started by hand.
  const policy = '/usr/sbin/policy-rc.d'
  const own = !existsSync(policy)
  if (own) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (...args) =>
      spawnSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] }).status
    const take = () => apt('install', '-y', '--no-install-recommends', ...missing)
    if (take() !== 0 && (apt('update') !== 0 || take() !== 0))
      skip(`these packages could not be installed: ${missing.join(', ')}`)
  } finally {
    if (own) rmSync(policy)
  }
  mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
}
