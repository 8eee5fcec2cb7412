import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/driver.ts', 'src/wire.ts', 'src/surfaces.ts', 'src/vitest.ts'],
  format: 'esm',
  target: 'es2022',
  clean: true,
  external: ['vitest'],
})
