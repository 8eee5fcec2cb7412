// Writes the index of rules into spec/README.md: for each rule its rows, the code that names it, and the tests that do.
// `--check` writes nothing and fails where the index is stale, or where a rule has no row or test, or no code.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path) => readFileSync(join(root, path), 'utf8')
const readme = read('spec/README.md')
const [START, END] = ['<!-- rules-index:start -->', '<!-- rules-index:end -->']

const rules = [...readme.matchAll(/^#+ ([RHLSUI]\d+)\b/gm)].map(([, rule]) => rule)
const tables = readdirSync(join(root, 'spec'))
  .filter((name) => /^[a-z-]+\.json$/.test(name) && name !== 'package.json')
  .sort()
  .reverse()
const rows = tables.flatMap((file) =>
  JSON.parse(read(`spec/${file}`)).cases.map(({ id, rule }) => ({ file, id, rule })),
)

const filesBelow = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        entry.name.endsWith('.ts') &&
        !/node_modules|dist|\.stryker-tmp|conformance\/src/.test(entry.parentPath),
    )
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort()
const files = filesBelow('packages').map((path) => ({ path, lines: read(path).split('\n') }))
const isTest = ({ path }) => /\.test\.ts$/.test(path)

/** The rules a line names: `R9`, `(R1–R9, H2)`. */
const named = (line) =>
  [...line.matchAll(/\b([RHLSUI])(\d+)(?:[–-][RHLSUI]?(\d+))?\b/g)].flatMap(([, letter, from, to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => `${letter}${Number(from) + i}`),
  )

const DECLARATION = /^(?:export )?(?:default )?(?:abstract )?(?:async )?(function|const|class|interface|type) (\w+)/
/** What a comment at `index` is about: the declaration that follows a doc block, or the one it stands in. */
const declarationAt = (lines, index) => {
  const inDocBlock = /^ ?\/?\*/.test(lines[index])
  const around = inDocBlock ? lines.slice(index) : lines.slice(0, index + 1).reverse()
  const [, kind, name] = around.map((line) => DECLARATION.exec(line)).find(Boolean) ?? []
  return /^(interface|type)$/.test(kind) ? undefined : name // what acts, not what is handed to it
}

/** The packages whose test/replay.test.ts plays the tables. */
const replaying = readdirSync(join(root, 'packages')).filter((name) =>
  files.some(({ path }) => path === join('packages', name, 'test', 'replay.test.ts')),
)

const link = (text, path) => `[${text}](../${path})`
const codeOf = (rule) => {
  const places = new Map()
  for (const { path, lines } of files.filter(({ path }) => path.includes('/src/')))
    for (const [index, line] of lines.entries()) {
      if (!/^\s*(\/?\*|\/\/)|\/\/ /.test(line) || !named(line).includes(rule)) continue
      const name = declarationAt(lines, index)
      if (name && !places.has(path)) places.set(path, name)
    }
  return [...places].map(([path, name]) => link(`\`${name}\``, path))
}
const testsOf = (rule) =>
  files
    .filter(
      (file) =>
        isTest(file) &&
        file.lines.some((line) => /(test|describe)(\.\w+)?(\(|<)/.test(line) && named(line).includes(rule)),
    )
    .map(({ path }) => link(path.replace('packages/', '').replace('/test/', ' ').replace('.test.ts', ''), path))

const problems = []
const body = rules.map((rule) => {
  const own = rows.filter((row) => row.rule === rule)
  const code = codeOf(rule)
  const tests = testsOf(rule)
  if (own.length === 0 && tests.length === 0) problems.push(`${rule} has neither a row nor a test that names it`)
  if (code.length === 0) problems.push(`${rule} is named by no code`)
  const counts = tables
    .map((file) => ({ file, ids: own.filter((row) => row.file === file).map(({ id }) => id.split('/')[1]) }))
    .filter(({ ids }) => ids.length > 0)
    .map(
      ({ file, ids }) =>
        `${ids.length} in [${file.replace('.json', '')}](./${file}), such as \`${ids.find((id) => id.startsWith(rule.toLowerCase())) ?? ids[0]}\``,
    )
  return `| [${rule}](#${rule.toLowerCase()}) | ${counts.join('; ') || 'none'} | ${code.join(', ')} | ${tests.join(', ') || 'the replays'} |`
})
if (rules.length === 0) problems.push('spec/README.md has no heading that names a rule')

const index = [
  START,
  '',
  `${rows.length} rows. ${replaying.slice(0, -1).join(', ')} and ${replaying.at(-1)} replay them in \`test/replay.test.ts\` (\`npm run conformance\` says how many each); tests that name a rule beside those are listed.`,
  '',
  '| rule | rows | code | tests |',
  '|---|---|---|---|',
  ...body,
  '',
  END,
].join('\n')
const before = readme.indexOf(START)
const after = readme.indexOf(END)
if (before < 0 || after < 0) problems.push(`spec/README.md has no ${START} … ${END}`)
const updated = readme.slice(0, before) + index + readme.slice(after + END.length)

if (process.argv.includes('--check')) {
  if (updated !== readme) problems.push('the index in spec/README.md is stale: run `node scripts/rules-index.mjs`')
} else if (problems.length === 0) writeFileSync(join(root, 'spec/README.md'), updated)
for (const problem of problems) console.error(problem)
process.exit(problems.length ? 1 : 0)
