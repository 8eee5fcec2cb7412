// Brings a bare clone to the point where its scripts can run: installs what the lockfile names, with a pinned pnpm
// that npx brings; nothing is done where that tree is there already. `--build FILTER` then builds what FILTER names.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined)
const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' }
delete env.npm_config_package // an outer `npx -p …` leaves it, and ours would obey it

const run = (command, args, output = 2) => {
  const { status, error, stdout } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: ['ignore', output, 2],
    shell: process.platform === 'win32',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error) console.error(`${command} could not be started: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
  return stdout
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Sluice needs Node 20.19 or newer; this is ${process.versions.node}. Install a newer Node and try again.`,
  )
  process.exit(1)
}

// pnpm leaves a copy of the lockfile it installed from: where the two are equal there is nothing to do.
if (read('pnpm-lock.yaml') !== read('node_modules/.pnpm/lock.yaml')) {
  const { pnpm } = JSON.parse(read('package.json')).devDependencies
  console.error(`Installing dependencies with pnpm ${pnpm} (once; about a minute)…`)
  const install = ['pnpm', 'install', '--frozen-lockfile', '--reporter=append-only']
  run('npx', ['--yes', `--package=pnpm@${pnpm}`, '--', ...install])
}

const [flag, filter] = process.argv.slice(2)
if (flag === '--build') {
  const build = ['run', 'build', `--filter=${filter}`, '--output-logs=errors-only']
  const { tasks } = JSON.parse(run('turbo', [...build, '--dry=json'], 'pipe'))
  const changed = tasks.some(({ command, cache }) => command !== '<NONEXISTENT>' && cache.status !== 'HIT')
  if (changed) console.error('Building what has changed (all of it takes about a minute)…')
  run('turbo', build, changed ? 2 : 'ignore') // where nothing changed it only brings back what was deleted
}
