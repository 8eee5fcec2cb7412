import { cp } from 'node:fs/promises'
import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    generate: 'src/generate/index.ts',
    'generate-child': 'src/generate/child/main.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  clean: true,
  // A part of what is generated, as text.
  onSuccess: () => cp('src/generate/runtime', 'dist/runtime', { recursive: true }),
})
