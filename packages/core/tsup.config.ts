import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/adapter.ts', 'src/words.ts', 'src/testing.ts', 'src/conformance.ts', 'src/replay.ts'],
  format: 'esm',
  target: 'es2022',
  clean: true,
})
