import { parseArgs } from 'node:util'
import { acknowledged } from './acknowledged.js'
import { counted } from './counted.js'
import { crashes } from './crashes.js'
import { damage } from './damage.js'
import { diskFull } from './disk-full.js'
import { isolation } from './isolation.js'
import { memory } from './memory.js'
import { names } from './names.js'
import { rates } from './rates.js'
import { replicas } from './replicas.js'
import { Report } from './report.js'
import { throughput } from './throughput.js'

const USAGE =
  'node soak/dist/main.js crashes|disk|damage|isolation|replicas|throughput, or of the last rates|acknowledged|counted|names|memory'
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '200' },
    sources: { type: 'string', default: '100' },
    runs: { type: 'string', default: '9' },
    blocks: { type: 'string', default: '40' },
    rows: { type: 'string', default: '1000000' },
    names: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '10' },
    fault: { type: 'string', default: '45' },
    seconds: { type: 'string', default: '180' },
  },
})

const report = new Report((text) => process.stdout.write(text), process.stdout.isTTY)
const amounts = {
  rounds: Number(values.runs),
  blocks: Number(values.blocks),
  requests: 5000,
  rows: Number(values.rows),
  seconds: 60 * Number(values.minutes),
  names: Number(values.names),
}
const soaks: Readonly<Record<string, () => Promise<void>>> = {
  crashes: () => crashes(report, { rounds: Number(values.rounds), random: Math.random }),
  damage: () => damage(report),
  disk: () => diskFull(report),
  isolation: () => isolation(report, { sources: Number(values.sources), seconds: Number(values.seconds) }),
  replicas: () =>
    replicas(report, { sources: Number(values.sources), faultMs: Number(values.fault) * 1000, random: Math.random }),
  throughput: () => throughput(report, amounts),
  rates: () => rates(report, amounts),
  acknowledged: () => acknowledged(report, amounts.requests),
  counted: () => counted(report, amounts.rows),
  names: () => names(report, amounts.names),
  memory: () => memory(report, amounts.seconds),
}
const soak = soaks[positionals[0] ?? '']
if (soak === undefined) {
  console.error(USAGE)
  process.exit(2)
}
await soak()
console.log(`\n${report.table()}`)
process.exit(report.broken.length === 0 ? 0 : 1)
