// For Stryker: the replays of the tables as the only tests, core's and fetch's, against src/ and not dist/, so that
// mutants are met. Stryker runs a copy of this folder, beside which there is no fetch: found by where it was started.
import { join } from 'node:path'
import { cwd } from 'node:process'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const src = (name: string): string => fileURLToPath(new URL(`./src/${name}.ts`, import.meta.url))
const fetchPackage = join(cwd().replace(/\.stryker-tmp.*$/, ''), '..', 'fetch')

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@sluice\/core$/, replacement: src('index') },
      { find: /^@sluice\/core\/(\w+)$/, replacement: src('$1') },
      { find: /^@sluice\/fetch$/, replacement: join(fetchPackage, 'src', 'index.ts') },
      { find: /^@sluice\/fetch\/replay$/, replacement: join(fetchPackage, 'test', 'replay.test.ts') },
    ],
  },
  test: { include: ['test/replay.test.ts', 'test/mutation/replay-fetch.ts'], testTimeout: 30_000 },
})
