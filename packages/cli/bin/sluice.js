#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'

// Node ≥ 22.1 keeps what it compiled: a start is mostly that.
module.enableCompileCache?.()

if (existsSync(new URL('../dist/main.js', import.meta.url))) await import('../dist/main.js')
else {
  console.error('sluice is not built yet: run `npm run build` in the repository, or `npm run -s sluice -- …`.')
  process.exit(1)
}
