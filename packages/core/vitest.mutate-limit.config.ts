// For Stryker: the limiter's rows as the only tests, against src/ and not dist/, so that mutants are met.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const src = (name: string): string => fileURLToPath(new URL(`./src/${name}.ts`, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@sluice\/core$/, replacement: src('index') },
      { find: /^@sluice\/core\/(\w+)$/, replacement: src('$1') },
    ],
  },
  test: { include: ['test/mutation/replay-limit.ts'], testTimeout: 30_000 },
})
