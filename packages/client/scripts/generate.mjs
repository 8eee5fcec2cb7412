// Makes src/gen anew from the gateway's document: `pnpm generate`. A test holds what is committed to the same document.
import { fileURLToPath } from 'node:url'
import { generate } from '@sluice/openapi/generate'

const pathOf = (relative) => fileURLToPath(new URL(relative, import.meta.url))

const { operations, changes } = await generate({
  document: pathOf('../../../spec/openapi.yaml'),
  output: pathOf('../src/gen'),
  io: { progress: (line) => console.error(line) },
})
console.log(`${operations} operations; files that changed: ${changes.map(({ file }) => file).join(', ') || 'none'}`)
