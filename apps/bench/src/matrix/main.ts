// `npm run matrix`: what HTTP clients do when a server throttles them or fails; writes docs/matrix.md and what it links to.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { clients } from './clients/index.js'
import { details } from './pages/details.js'
import type { Matrix } from './pages/matrix.js'
import { overview } from './pages/overview.js'
import { picture } from './pages/picture.js'
import { probes } from './probes/index.js'
import { runMatrix } from './run-matrix.js'
import { verdictsOf } from './verdicts.js'

const oneOf =
  (known: string[]) =>
  (value: string, earlier: string[] = []): string[] => {
    if (!known.includes(value)) throw new InvalidArgumentError(`There are: ${known.join(', ')}.`)
    return [...earlier, value]
  }

const { client, probe, json } = new Command('matrix')
  .description(
    'Runs every client against a scripted server and writes docs/matrix.md, docs/matrix.svg and docs/matrix/.',
  )
  .option('--client <id>', 'this client alone (repeatable); prints and writes nothing', oneOf(Object.keys(clients)))
  .option('--probe <id>', 'this row alone (repeatable); prints and writes nothing', oneOf(probes.map(({ id }) => id)))
  .option('--json', 'print what was seen, as JSON')
  .parse()
  .opts<{ client?: string[]; probe?: string[]; json?: true }>()

/** The rows about Retry-After are judged by what these two show. */
const BASIS = ['stated-get', 'unstated']

const chosen = probe ? probes.filter(({ id }) => probe.includes(id) || BASIS.includes(id)) : probes
const runs = await runMatrix({
  clients: client ?? Object.keys(clients),
  probes: chosen,
  ...(process.stderr.isTTY ? { onProgress: (text: string) => process.stderr.write(`\r\x1b[K  ${text}`) } : {}),
})
if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(new URL(`../../node_modules/${name}/package.json`, import.meta.url), 'utf8')).version

const columns = runs.map((run) => ({ run, cells: verdictsOf(run, chosen) }))
const matrix: Matrix = {
  probes: chosen,
  clients: [...new Set(runs.map(({ about }) => about.id))].map((id) => {
    const own = columns.filter(({ run }) => run.about.id === id)
    return { id, name: own[0]?.run.about.name ?? id, columns: own }
  }),
  versions: new Map(runs.flatMap(({ about }) => about.packages.map((name) => [name, versionOf(name)] as const))),
  date: new Date().toISOString().slice(0, 10),
  node: process.versions.node,
}

if (json) {
  console.log(
    JSON.stringify(
      columns.map(({ run, cells }) => ({
        client: run.about.id,
        configuration: run.configuration,
        strays: run.strays,
        rows: chosen.map(({ id }) => ({ probe: id, ...cells.get(id), seen: run.seen.get(id) })),
      })),
    ),
  )
} else if (client || probe) {
  for (const { run, cells } of columns) {
    console.log(`${run.about.name}, ${run.configuration}: ${run.setup}`)
    for (const [id, { mark, says }] of cells) console.log(`  ${mark} ${id.padEnd(22)} ${says}`)
    for (const stray of new Set(run.strays)) console.log(`  reached no caller: ${stray}`)
  }
} else write()

/** docs/matrix.md keeps what stands outside the markers. */
function write(): void {
  const docs = new URL('../../../../docs/', import.meta.url)
  mkdirSync(new URL('matrix/', docs), { recursive: true })
  const path = new URL('matrix.md', docs)
  const [START, END] = ['<!-- matrix:start -->', '<!-- matrix:end -->']
  const old = readFileSync(path, 'utf8')
  const [from, to] = [old.indexOf(START), old.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`docs/matrix.md needs the lines ${START} and ${END}, in this order.`)
  writeFileSync(path, `${old.slice(0, from)}${START}\n\n${overview(matrix)}\n\n${old.slice(to)}`)
  writeFileSync(new URL('matrix.svg', docs), picture(matrix))
  for (const one of matrix.clients) writeFileSync(new URL(`matrix/${one.id}.md`, docs), details(matrix, one))
}
