// A browser for the journeys: the one on this machine, else Debian's own when we may install it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Problem, step } from './say.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge']
const places = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

export async function findBrowser() {
  const given = process.env.CHROMIUM_PATH
  if (given) {
    if (existsSync(given)) return given
    throw new Problem(`CHROMIUM_PATH is ${given}, and there is no such file.`)
  }
  const found = onMachine()
  if (found) return found
  if (canInstall()) await step('Installing chromium (once)', 'Installed chromium', installChromium)
  const installed = onMachine()
  if (installed) return installed
  throw new Problem(
    'No browser was found for the journeys: install Chromium or Google Chrome, or set CHROMIUM_PATH to one.',
  )
}

function onMachine() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const candidates = [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...places]
  return candidates.find((path) => existsSync(path))
}

const canInstall = () =>
  process.getuid?.() === 0 && existsSync('/etc/debian_version') && spawnSync('apt-get', ['--version']).status === 0

function installChromium() {
  const options = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const install = () => spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options)
  if (install().status === 0) return
  spawnSync('apt-get', ['update', '-qq'], options)
  if (install().status !== 0)
    throw new Problem('apt-get could not install chromium: install a browser by hand and set CHROMIUM_PATH.')
}
