import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', page: 'src/page/index.ts', react: 'src/react/index.ts' },
  format: 'esm',
  target: 'es2022',
  clean: true,
})
