// What is published is what is tested: packs the packages, has publint and attw look at the tarballs, installs them
// into an empty folder, and runs the README's snippet there on every supported Node against a server that throttles.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PUBLISHED } from './published.mjs'
import { PRINTS, PROGRAM, REACT, TYPES } from './with-react.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** What each may depend on at run time. */
const MAY_DEPEND_ON = {
  '@sluice/spec': [],
  '@sluice/core': [],
  '@sluice/fetch': ['@sluice/core'],
  '@sluice/conformance': ['@sluice/spec', 'ajv'],
  '@sluice/openapi': [
    ...[
      '@hey-api/openapi-ts',
      'ajv',
      'ajv-formats',
      'jsonc-parser',
      'leven',
      'openapi-typescript',
      'typescript',
      'yaml',
    ],
  ],
  '@sluice/client': ['@sluice/core', '@sluice/fetch'],
  '@sluice/simulator': ['@sluice/core'],
  '@sluice/ingest': ['@sluice/core'],
  '@sluice/mcp': [
    ...['@modelcontextprotocol/node', '@modelcontextprotocol/server'],
    ...['@sluice/core', '@sluice/fetch', '@sluice/openapi', '@sluice/spec', 'commander'],
  ],
  '@sluice/cli': [
    ...['@sluice/conformance', '@sluice/core', '@sluice/fetch', '@sluice/ingest', '@sluice/mcp', '@sluice/openapi'],
    ...['@sluice/simulator', '@sluice/spec', 'commander'],
    'csv-parse', // sluice replay
  ],
}
/** What each may leave to its user to install, as long as nobody has to. */
const MAY_WANT = {
  '@sluice/fetch': ['react'],
  '@sluice/conformance': ['vitest'],
  '@sluice/client': ['@opentelemetry/api'],
}
/** Those that ask the server, which throttles the first of two requests. */
const SENDS = new Set(['snippet.mjs', 'client.mjs', 'call.mjs', 'mcp.mjs'])
const NODES = [null, '22', '24'] // null: the one that runs this

const env = { ...process.env }
for (const name of Object.keys(env))
  if (/^npm_config_|^npm_package_|^npm_lifecycle_/i.test(name) && !/registry|cafile|proxy|cache/i.test(name))
    delete env[name]

let failed = 0
const report = (good, what, detail = '') => {
  if (!good) failed++
  console.log(`${good ? '✓' : '✗'} ${what}${good || !detail ? '' : `\n${detail}`}`)
}
const run = async (command, args, cwd = root, more = {}) => {
  const options = { cwd, env: { ...env, ...more }, shell: process.platform === 'win32', maxBuffer: 64 * 2 ** 20 }
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, options)
    return { good: true, output: `${stdout}${stderr}` }
  } catch (error) {
    return { good: false, output: `${error.stdout ?? ''}${error.stderr ?? ''}${error.message}` }
  }
}
/** Calls `check` with each, two at a time: what it starts is a process, and a machine has two cores at least. */
const forEach = async (values, check) => {
  const waiting = [...values]
  const work = async () => {
    while (waiting.length > 0) await check(waiting.shift())
  }
  await Promise.all([work(), work()])
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-packages-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const tarballs = join(folder, 'tarballs')
mkdirSync(tarballs)
await forEach(PUBLISHED, async (path) => {
  const packed = await run('pnpm', ['pack', '--pack-destination', tarballs], join(root, path))
  report(packed.good, `pack ${path}`, packed.output)
})
const packed = readdirSync(tarballs).map((file) => join(tarballs, file))
report(packed.length === PUBLISHED.length, 'each package is one tarball', packed.join('\n'))
await forEach(packed, async (tarball) => {
  const linted = await run('publint', ['run', '--strict', tarball])
  report(linted.good, `publint ${basename(tarball)}`, linted.output)
  if (basename(tarball).startsWith('sluice-spec')) return // holds data and one typed index; attw wants an entry that resolves in CommonJS
  const checked = await run('attw', ['--profile', 'esm-only', tarball])
  report(checked.good, `attw ${basename(tarball)}`, checked.output)
})

const empty = join(folder, 'empty')
mkdirSync(empty)
writeFileSync(join(empty, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }))
const installed = await run('npm', ['install', '--no-audit', '--no-fund', ...packed], empty)
report(installed.good, 'install the tarballs into an empty folder', installed.output)
for (const [name, allowed] of Object.entries(MAY_DEPEND_ON)) {
  const manifest = JSON.parse(readFileSync(join(empty, 'node_modules', name, 'package.json'), 'utf8'))
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest
  const others = Object.keys(dependencies).filter((other) => !allowed.includes(other))
  report(others.length === 0, `${name} depends on ${allowed.join(', ') || 'nothing'}`, `also on ${others.join(', ')}`)
  report(!JSON.stringify(dependencies).includes('workspace:'), `${name} names real versions`)
  const wants = MAY_WANT[name] ?? []
  const peers = Object.keys(peerDependencies)
  const fits = peers.every((peer) => wants.includes(peer) && peerDependenciesMeta[peer]?.optional)
  report(fits, `${name} asks nobody to install anything`, `it has the peers ${peers.join(', ')}`)
}
report(!existsSync(join(empty, 'node_modules/react')), 'React is not installed where nobody wants it')

/** The first JavaScript or TypeScript block of a page. */
const snippet = /```(?:js|ts)\n([\s\S]*?)```/.exec(readFileSync(join(root, 'packages/fetch/README.md'), 'utf8'))?.[1]
report(Boolean(snippet), 'packages/fetch/README.md begins with a snippet')
writeFileSync(join(empty, 'snippet.mjs'), snippet ?? '')
writeFileSync(
  join(empty, 'cli.mjs'),
  "import { spawnSync } from 'node:child_process'\nprocess.exit(spawnSync(process.execPath, ['node_modules/@sluice/cli/bin/sluice.js', 'decide', '429', '-H', 'retry-after: 2'], { stdio: 'inherit' }).status)",
)
writeFileSync(
  join(empty, 'require.cjs'),
  "const { createFetch } = require('@sluice/fetch'); if (typeof createFetch() !== 'function') process.exit(1)",
)

// The three that come out of one OpenAPI document, against a server that throttles each first request.
writeFileSync(
  join(empty, 'client.mjs'),
  [
    "import { ClientBuilder, unwrap } from '@sluice/client'",
    "const client = new ClientBuilder(process.env.API_URL).bearer('a-token').build()",
    'console.log((await unwrap(client.getStatus())).hello)',
  ].join('\n'),
)
writeFileSync(
  join(empty, 'call.mjs'),
  [
    "import { spawnSync } from 'node:child_process'",
    "const sluice = 'node_modules/@sluice/cli/bin/sluice.js'",
    "const args = ['call', 'getStatus', '--base-url', process.env.API_URL, '--no-token']",
    "process.exit(spawnSync(process.execPath, [sluice, ...args], { stdio: 'inherit' }).status)",
  ].join('\n'),
)
writeFileSync(
  join(empty, 'mcp.mjs'),
  [
    "import { spawn } from 'node:child_process'",
    "const server = 'node_modules/@sluice/mcp/bin/sluice-mcp.js'",
    "const stdio = ['pipe', 'pipe', 'inherit']",
    "const child = spawn(process.execPath, [server, '--base-url', process.env.API_URL], { stdio })",
    "const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')",
    "const clientInfo = { name: 'check', version: '1' }",
    "send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })",
    "let text = ''",
    "child.stdout.on('data', (chunk) => {",
    '  text += chunk',
    "  const answers = text.split('\\n').slice(0, -1).map((line) => JSON.parse(line))",
    '  if (answers.length === 1) {',
    "    send({ method: 'notifications/initialized' })",
    "    send({ id: 2, method: 'tools/call', params: { name: 'get_status', arguments: {} } })",
    '  }',
    '  const done = answers.find(({ id }) => id === 2)',
    '  if (!done) return',
    '  console.log(done.result.structuredContent.hello)',
    '  child.stdin.end()',
    '})',
    "child.on('close', (code) => process.exit(code))",
  ].join('\n'),
)

// The same seed, the same bytes, on every Node.
const scenarioAt = (name) => JSON.stringify(join(empty, 'node_modules/@sluice/simulator/scenarios', `${name}.json`))
const bytes = join(root, 'packages/simulator/test')
writeFileSync(join(empty, 'hashes.mjs'), readFileSync(join(bytes, 'same-bytes-program.mjs')))
writeFileSync(
  join(empty, 'same-bytes.mjs'),
  [
    "import { deepStrictEqual } from 'node:assert'",
    "import { readFileSync } from 'node:fs'",
    "import { hashes } from './hashes.mjs'",
    "const read = (path) => JSON.parse(readFileSync(path, 'utf8'))",
    `const files = { 'surge-double': read(${scenarioAt('01-surge-double')}), metastable: read(${scenarioAt('09-metastable')}) }`,
    `deepStrictEqual(await hashes(files), read(${JSON.stringify(join(bytes, 'same-bytes.json'))}))`,
  ].join('\n'),
)

// As a strict user compiles them, our declarations included.
writeFileSync(
  join(empty, 'types.ts'),
  [
    "import { createFetch, retryPolicy, type FetchOptions } from '@sluice/fetch'",
    "import { createPageFetch, userMessage, type PageFetch } from '@sluice/fetch/page'",
    "import { execute } from '@sluice/core'",
    "import { coreSubject } from '@sluice/core/conformance'",
    "import { VirtualClock } from '@sluice/core/testing'",
    "import { loadTable } from '@sluice/conformance'",
    "import { ClientBuilder, unwrap } from '@sluice/client'",
    "import { createMcpServer } from '@sluice/mcp'",
    "import { readDocument } from '@sluice/openapi'",
    "import { generate } from '@sluice/openapi/generate'",
    "import { tables } from '@sluice/spec'",
    'const options: FetchOptions = { policy: undefined, logger: console, clock: new VirtualClock() }',
    'const drop: typeof globalThis.fetch = createFetch(options)',
    'const value: Promise<number> = execute(async () => 42, { policy: retryPolicy({ deadlineMs: undefined }) })',
    "const rows = unwrap(new ClientBuilder('http://127.0.0.1').build().runPipe({ path: { name: 'a' } })).then(({ rows }) => rows)",
    "export const all = [drop, value, coreSubject, loadTable(tables['retry-cases']), rows]",
    'const page: PageFetch = createPageFetch({ page: globalThis, onLoginExpired: ({ reloadOnce }) => reloadOnce() })',
    'export const more = [createMcpServer, readDocument, generate, page, userMessage]',
  ].join('\n'),
)
const strictly = [
  ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false', '--module', 'nodenext'],
  ...['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'],
]
/** Both that people have: the one in JavaScript, and the one in Go. */
const TYPESCRIPTS = { 5: 'typescript', 7: 'typescript-7' }
const tsc = (version, args) =>
  run(process.execPath, [join(root, 'node_modules', TYPESCRIPTS[version], 'bin/tsc'), ...args])
const compiles = async (version) => {
  const compiled = await tsc(version, [...strictly, '--types', 'node', join(empty, 'types.ts')])
  report(compiled.good, `the declarations compile under strict TypeScript ${version}`, compiled.output)
}

/** The React parts, where there is a React. */
const worksWithReact = async () => {
  const own = join(folder, 'with-react')
  mkdirSync(own)
  writeFileSync(join(own, 'package.json'), JSON.stringify({ name: 'with-react', private: true, type: 'module' }))
  const ours = packed.filter((tarball) => /sluice-(core|fetch)-/.test(basename(tarball)))
  const { good, output } = await run('npm', ['install', '--no-audit', '--no-fund', ...ours, ...REACT], own)
  report(good, 'install @sluice/fetch beside React', output)
  writeFileSync(join(own, 'types.tsx'), TYPES)
  writeFileSync(join(own, 'react.mjs'), PROGRAM)
  for (const version of Object.keys(TYPESCRIPTS)) {
    const compiled = await tsc(version, [...strictly, '--jsx', 'react-jsx', join(own, 'types.tsx')])
    report(compiled.good, `the React parts compile under strict TypeScript ${version}`, compiled.output)
  }
  const ran = await run(process.execPath, ['react.mjs'], own)
  report(ran.output === PRINTS, 'the React parts run', ran.output)
}

/** A server that throttles every second request; `sent()` tells how many arrived. */
const serve = async () => {
  let requests = 0
  const server = createServer((_, response) => {
    if (++requests % 2) response.writeHead(429, { 'retry-after': '1' }).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"hello":"world"}')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}`, sent: () => requests, close: () => server.close() }
}

/** The path of a Node of that version, which npx brings. */
const nodeOf = async (version) => {
  const print = ['-p', 'process.execPath']
  const { good, output } = await run('npx', ['--yes', `--package=node@${version}`, '--', 'node', ...print])
  const path = output.trim().split('\n').at(-1)
  if (good) return path
  report(false, `Node ${version} from npm`, output)
}

const runsOn = async (version) => {
  const node = version ? await nodeOf(version) : process.execPath
  if (node === undefined) return
  const server = await serve()
  for (const file of ['snippet.mjs', 'require.cjs', 'cli.mjs', 'client.mjs', 'call.mjs', 'mcp.mjs', 'same-bytes.mjs']) {
    const before = server.sent()
    const { good, output } = await run(node, [file], empty, { API_URL: server.url })
    const right =
      good &&
      (file !== 'snippet.mjs' || output.includes('attempts: 2')) &&
      (!SENDS.has(file) || (server.sent() - before === 2 && output.includes('world')))
    report(right, `${file} on Node ${version ?? process.versions.node}`, output)
  }
  server.close()
}

// The Nodes at once, each with a server of its own: most of their time they wait for what that server stated.
await Promise.all([...Object.keys(TYPESCRIPTS).map(compiles), worksWithReact(), ...NODES.map(runsOn)])
process.exit(failed ? 1 : 0)
