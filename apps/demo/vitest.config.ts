import { defineConfig } from 'vitest/config'

// The demo is really started here, engine and all: on a busy machine that takes seconds, most of it waiting.
export default defineConfig({ test: { testTimeout: 30_000, hookTimeout: 30_000, maxWorkers: 2 } })
