// `npm run soak`: what takes too long for `npm test`, one after another, all of it even if some of it fails. Each by its name
// as well: `npm run soak -- isolation`.
//   core         ten million generated header values against the rules H1–H5, and then a million operations on limiters,
//                instead of the twenty thousand of `npm test`; `npm run soak -- core 50000000` asks for another count
//   the others   what the ingest gateway promises, with real processes, sockets and engines (apps/gateway/soak); what follows
//                the name is handed on: `npm run soak -- memory --minutes 60`
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const GATEWAY = ['crashes', 'disk', 'damage', 'isolation', 'replicas', 'throughput']
const PARTS = ['rates', 'acknowledged', 'counted', 'names', 'memory']
const [name, ...given] = process.argv.slice(2)
if (name !== undefined && !['core', ...GATEWAY, ...PARTS].includes(name)) {
  console.error(
    `There is no soak "${name}"; there are core, ${GATEWAY.join(', ')}, and of the last ${PARTS.join(', ')}.`,
  )
  process.exit(2)
}

const run = (folder, command, args, env = {}) =>
  spawnSync(command, args, {
    cwd: fileURLToPath(new URL(`../${folder}`, import.meta.url)),
    env: { ...process.env, ...env },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  }).status ?? 1

function core() {
  const runs = given[0] ?? '10000000'
  if (!/^[1-9]\d*$/.test(runs)) {
    console.error(`The count of values must be a whole number of at least 1; got ${runs}.`)
    process.exit(2)
  }
  const env = { SLUICE_SOAK_RUNS: runs, SLUICE_SOAK_OPERATIONS: '1000000' }
  const tests = ['test/headers.test.ts', 'test/limit/properties.test.ts']
  return Math.max(...tests.map((test) => run('packages/core', 'pnpm', ['exec', 'vitest', 'run', test], env)))
}

let isBuilt = false
function gateway(soak, args) {
  isBuilt ||= run('apps/gateway', 'pnpm', ['exec', 'tsup', '--config', 'soak/tsup.config.ts', '--silent']) === 0
  if (!isBuilt) return 1
  console.log(`\n— ${soak}`)
  return run('apps/gateway', process.execPath, ['soak/dist/main.js', soak, ...args])
}

const all = name === undefined ? ['core', ...GATEWAY] : [name]
const failed = all.filter((it) => (it === 'core' ? core() : gateway(it, name === undefined ? [] : given)) !== 0)
if (failed.length > 0) console.error(`Broken: ${failed.join(', ')}.`)
process.exit(failed.length === 0 ? 0 : 1)
