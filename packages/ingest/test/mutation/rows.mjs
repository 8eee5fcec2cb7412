// For Stryker only: replays the rows of ingest-scenarios against src/ as it lies here, mutated or not. Ends with 1 at the
// first row that differs. Each mutant is a process of its own: no framework, so that it starts in no time.
import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { entriesOf, runCase, specTable } from '@sluice/conformance'
import { VirtualClock } from '@sluice/core/testing'

const require = createRequire(import.meta.url)
const { build } = createRequire(require.resolve('tsup'))('esbuild')
const outfile = join(process.cwd(), `.rows-${process.pid}.mjs`)
const entry = ['index', 'conformance'].map((name) => `export * from './src/${name}.ts'`).join('\n')
const stdin = { contents: entry, resolveDir: process.cwd() }
await build({ stdin, outfile, bundle: true, packages: 'external', format: 'esm', platform: 'node', logLevel: 'error' })
const ingest = await import(pathToFileURL(outfile).href).finally(() => rmSync(outfile))
const subject = { machine: ingest.machineOfTable(ingest) }

// Not checked against its schema, which takes longer than all rows; other tests do that.
const table = JSON.parse(readFileSync(specTable('ingest-scenarios'), 'utf8'))
const cases = table.cases.map((row) => ({ needs: [], ...row }))
for (const one of entriesOf({ ...table, cases })) {
  const { verdict } = await runCase(one, subject, (wallNow) => new VirtualClock(wallNow))
  if (verdict === 'failed') {
    console.log(one.row.id)
    process.exit(1)
  }
}
