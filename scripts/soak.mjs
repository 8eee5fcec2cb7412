// `npm run soak`: ten million generated header values against the rules H1–H5, instead of the twenty thousand of `npm test`.
// A number as argument asks for another count.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const runs = process.argv[2] ?? '10000000'
if (!/^[1-9]\d*$/.test(runs)) {
  console.error(`The count of values must be a whole number of at least 1; got ${runs}.`)
  process.exit(2)
}
const { status } = spawnSync('pnpm', ['exec', 'vitest', 'run', 'test/headers.test.ts'], {
  cwd: fileURLToPath(new URL('../packages/core', import.meta.url)),
  env: { ...process.env, SLUICE_SOAK_RUNS: runs },
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exit(status ?? 1)
