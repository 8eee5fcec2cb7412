// For Stryker only: replays the rows that hold the limiter against src/ as it lies here, mutated or not. Ends with 1 at
// the first row that differs. Each mutant is a process of its own: no framework, so that it starts in no time.
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { entriesOf, loadTable, runCase, specTable } from '@sluice/conformance'

const require = createRequire(import.meta.url)
const { build } = createRequire(require.resolve('tsup'))('esbuild')
const outfile = join(process.cwd(), `.rows-${process.pid}.mjs`)
const entry = ['index', 'conformance', 'testing'].map((name) => `export * from './src/${name}.ts'`).join('\n')
const stdin = { contents: entry, resolveDir: process.cwd() }
await build({ stdin, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' })
const core = await import(pathToFileURL(outfile).href).finally(() => rmSync(outfile))
const subject = core.coreSubject(core)

for (const suite of ['backoff-scenarios', 'call-scenarios'])
  for (const one of entriesOf(loadTable(specTable(suite)))) {
    const { verdict } = await runCase(one, subject, (wallNow) => new core.VirtualClock(wallNow))
    if (verdict === 'failed') {
      console.log(one.row.id)
      process.exit(1)
    }
  }
