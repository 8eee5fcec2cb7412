import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/opentelemetry.ts'],
  format: 'esm',
  target: 'es2022',
  clean: true,
})
