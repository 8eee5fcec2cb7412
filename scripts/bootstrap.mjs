// Brings a bare clone to the point where its scripts can run: installs what the lockfile names, with a pinned pnpm
// that npx brings. Does nothing when the installed tree already matches the lockfile.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url)
const read = (path) => (existsSync(new URL(path, root)) ? readFileSync(new URL(path, root), 'utf8') : undefined)

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Sluice needs Node 20.19 or newer; this is ${process.versions.node}. Install a newer Node and try again.`,
  )
  process.exit(1)
}

// pnpm leaves a copy of the lockfile it installed from: where the two are equal there is nothing to do.
if (read('pnpm-lock.yaml') === read('node_modules/.pnpm/lock.yaml')) process.exit(0)

const { pnpm } = JSON.parse(read('package.json')).devDependencies
const env = { ...process.env }
delete env.npm_config_package // an outer `npx -p …` leaves it, and ours would obey it

console.error(`Installing dependencies with pnpm ${pnpm} (once; about a minute)…`)
const { status, error } = spawnSync(
  'npx',
  ['--yes', `--package=pnpm@${pnpm}`, '--', 'pnpm', 'install', '--frozen-lockfile', '--reporter=append-only'],
  { cwd: fileURLToPath(root), env, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' },
)
if (error) console.error(`npx could not be started: ${error.message}`)
process.exit(status ?? 1)
