// `npm run soak`: ten million generated header values against the rules H1–H5, and then a million operations on limiters,
// instead of the twenty thousand of `npm test`. A number as argument asks for another count of values.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const runs = process.argv[2] ?? '10000000'
if (!/^[1-9]\d*$/.test(runs)) {
  console.error(`The count of values must be a whole number of at least 1; got ${runs}.`)
  process.exit(2)
}
for (const test of ['test/headers.test.ts', 'test/limit/properties.test.ts']) {
  const { status } = spawnSync('pnpm', ['exec', 'vitest', 'run', test], {
    cwd: fileURLToPath(new URL('../packages/core', import.meta.url)),
    env: { ...process.env, SLUICE_SOAK_RUNS: runs, SLUICE_SOAK_OPERATIONS: '1000000' },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}
