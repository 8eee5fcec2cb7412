// `npm run bench`: several process starts of measure.ts, then ratios with their spread.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Command, InvalidArgumentError } from 'commander'
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
  .option('--only <suite>', `one suite: ${suites.map(({ name }) => name).join(', ')}`)
  .option('--write', 'write the tables into docs/benchmarks.md')
  .parse()
  .opts<{ starts: number; write?: true; only?: string }>()

const measure = fileURLToPath(new URL('./measure.js', import.meta.url))
const runs: Run[] = []
const loads: number[] = []
const load = (): number => loadavg()[0] ?? Number.NaN
for (let i = 1; i <= starts; i++) {
  if (process.stderr.isTTY) process.stderr.write(`\r  start ${i} of ${starts}…`)
  loads.push(load())
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', measure, ...(only ? [only] : [])])
  runs.push(JSON.parse(stdout))
}
if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')

/** The package has more dependencies: those of the matrix. */
const PEERS = ['async-sema', 'cockatiel', 'fetch-retry', 'ky', 'ofetch', 'opossum', 'p-limit', 'p-queue', 'p-retry']
const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const page = [
  `Node ${process.versions.node}, ${cpus().length} cores; ${starts} process starts; median over the starts, and the range of the ratios.`,
  `The machine's load before each start: ${loads.map((one) => one.toFixed(1)).join(', ')} (above 1, other work or the start before disturbs the figures).`,
  `Peers: ${PEERS.map((name) => `${name} ${dependencies[name]}`).join(', ')}.`,
  ...suites
    .filter(({ name }) => !only || name === only)
    .flatMap((suite) => [`### ${suite.name}: ${suite.what}`, table(suite, runs)]),
].join('\n\n')
console.log(page)

if (write) {
  const path = new URL('../../../docs/benchmarks.md', import.meta.url)
  const [START, END] = ['<!-- bench:start -->', '<!-- bench:end -->']
  const old = readFileSync(path, 'utf8')
  writeFileSync(path, `${old.slice(0, old.indexOf(START))}${START}\n\n${page}\n\n${old.slice(old.indexOf(END))}`)
}
