import { defineConfig } from 'vitest/config'

// By hand: `pnpm generate:github`. It takes minutes and a download.
export default defineConfig({ test: { include: ['test/github/*.by-hand.ts'], testTimeout: 3_600_000 } })
