import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    nodes: 'src/nodes/index.ts',
    main: 'src/main.ts',
    'engine-child': 'src/engine/main.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  external: ['chdb'], // tsup leaves out dependencies by itself, but not optional ones
  clean: true,
})
