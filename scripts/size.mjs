// Measures what a page would load (esbuild, minified, gzip) against the limits in .size-limit.json, and writes the
// figures into README.md. `--check` writes nothing and fails where a limit is passed or the README says otherwise.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const path = join(root, 'README.md')
const [START, END] = ['<!-- sizes:start -->', '<!-- sizes:end -->']
const check = process.argv.includes('--check')

const { stdout, stderr, error } = spawnSync('size-limit', ['--json'], {
  cwd: root,
  encoding: 'utf8',
  shell: process.platform === 'win32',
})
let results
try {
  results = JSON.parse(stdout ?? '')
} catch {
  console.error(`size-limit did not measure: ${error?.message ?? (stderr || stdout)}`)
  process.exit(1)
}

const kb = (bytes) => `${(bytes / 1000).toFixed(1)} kB`
const limits = JSON.parse(readFileSync(join(root, '.size-limit.json'), 'utf8'))
/** What of each file is imported: of one, or of several by their names. */
const imported = (names) => (typeof names === 'string' ? [names] : Object.values(names)).map((name) => `\`${name}\``)
const lines = results.map(
  ({ name, size }, i) => `| ${name} | ${imported(limits[i].import).join(', ')} | ${kb(size)} | ${limits[i].limit} |`,
)
const table = [START, '', '| | import | size | limit |', '|---|---|---|---|', ...lines, '', END].join('\n')

const readme = readFileSync(path, 'utf8')
const [from, to] = [readme.indexOf(START), readme.indexOf(END)]
const problems = results
  .filter(({ passed }) => !passed)
  .map(({ name, size }) => `${name}: ${kb(size)} is over its limit`)
if (from < 0 || to < 0) problems.push(`README.md has no ${START} … ${END}`)
const updated = readme.slice(0, from) + table + readme.slice(to + END.length)
if (check && updated !== readme) problems.push('the sizes in README.md are stale: run `npm run size`')
if (!check && from >= 0 && to >= 0) writeFileSync(path, updated)

for (const { name, size } of results) console.log(`${name}: ${size} bytes`)
for (const problem of problems) console.error(problem)
process.exit(problems.length ? 1 : 0)
