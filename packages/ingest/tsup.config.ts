import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', conformance: 'src/conformance.ts', spool: 'src/spool.ts' },
  format: 'esm',
  platform: 'neutral',
  external: [/^node:/], // in spool alone: the state machines run anywhere
  target: 'es2022',
  clean: true,
})
