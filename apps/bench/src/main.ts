// `npm run bench`: several process starts of measure.ts, then ratios with their spread.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Command, InvalidArgumentError, Option } from 'commander'
import { withSections } from './page.js'
import { suites } from './suites/index.js'
import type { Run } from './summary.js'
import { table } from './tables.js'

const positive = (text: string): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number of at least 1.')
  return value
}

const { starts, write, only } = new Command('bench')
  .description('Measures Sluice against its peers: interleaved in each process, over several process starts.')
  .option('--starts <n>', 'process starts', positive, 7)
  .addOption(new Option('--only <suite>', 'one suite').choices(suites.map(({ name }) => name)))
  .option('--write', 'write the tables into docs/benchmarks.md; those of suites that were not measured stay')
  .parse()
  .opts<{ starts: number; write?: true; only?: string }>()

const measure = fileURLToPath(new URL('./measure.js', import.meta.url))
const runs: Run[] = []
const loads: number[] = []
for (let i = 1; i <= starts; i++) {
  if (process.stderr.isTTY) process.stderr.write(`\r  start ${i} of ${starts}…`)
  loads.push(loadavg()[0] ?? Number.NaN)
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', measure, ...(only ? [only] : [])])
  runs.push(JSON.parse(stdout))
}
if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')

/** The package has more dependencies: those of the matrix. */
const PEERS = ['async-sema', 'cockatiel', 'fetch-retry', 'ky', 'ofetch', 'opossum', 'p-limit', 'p-queue', 'p-retry']
const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const head = [
  `Node ${process.versions.node}, ${cpus().length} cores. Median over the process starts, and the range of the ratios.`,
  `Peers: ${PEERS.map((name) => `${name} ${dependencies[name]}`).join(', ')}.`,
].join('\n\n')
const measured = `_${starts} process starts; the machine's load before each: ${loads.map((one) => one.toFixed(1)).join(', ')}._`
const sections = suites
  .filter(({ name }) => !only || name === only)
  .map((suite) => ({
    name: suite.name,
    text: [`### ${suite.name}: ${suite.what}`, table(suite, runs), measured].join('\n\n'),
  }))
console.log([head, ...sections.map(({ text }) => text)].join('\n\n'))

if (write) {
  const path = new URL('../../../docs/benchmarks.md', import.meta.url)
  writeFileSync(path, withSections(readFileSync(path, 'utf8'), head, sections))
}
