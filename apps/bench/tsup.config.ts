import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/main.ts', 'src/measure.ts', 'src/matrix/main.ts', 'src/matrix/child.ts'],
  format: 'esm',
  target: 'es2022',
  clean: true,
})
