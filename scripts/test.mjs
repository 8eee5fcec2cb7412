// `npm test`: everything that decides whether a change is good, one step after another, all of them even if one fails.
// The last line is `N passed, N failed`: tests as vitest counted them, and one for each other step.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const turbo = ['turbo', 'run', '--concurrency=2', '--continue', '--output-logs=errors-only']
const steps = [
  ['lint', ['biome', 'check', '--error-on-warnings', '.']],
  ['lint of the OpenAPI document', ['node', 'scripts/lint-openapi.mjs']],
  ['build', [...turbo, 'build']],
  ['typecheck', ['node', 'scripts/typecheck.mjs']],
  ['unit tests', [...turbo, 'test']],
  ['conformance: the tables, package by package', ['node', 'scripts/conformance.mjs', '--reports']],
  ['spec index: every rule with its rows, function and test', ['node', 'scripts/rules-index.mjs', '--check']],
  ['size', ['node', 'scripts/size.mjs', '--check']],
  ['packages as published', ['node', 'scripts/check-packages.mjs']],
]

const folders = [
  'spec',
  ...['packages', 'apps'].flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name))),
]
const reportOf = (folder) => join(root, folder, '.report', 'vitest.json')

const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' }
/** Each failed test of a report with the first line of what it said: the rest stands above, or was cut off by whoever shows this. */
function* failedIn({ testResults }) {
  for (const { name, message, assertionResults } of testResults) {
    const file = relative(root, name)
    if (message) yield `${file}: ${message.split('\n')[0]}`
    for (const { status, fullName, failureMessages } of assertionResults)
      if (status === 'failed') yield `${file}: ${fullName}: ${failureMessages[0]?.split('\n')[0]}`
  }
}

let passed = 0
let failed = 0
const failures = []
const failedTests = []
for (const [name, [command, ...args]] of steps) {
  const begun = Date.now()
  console.log(`\n— ${name}`)
  if (name === 'unit tests') for (const folder of folders) rmSync(reportOf(folder), { force: true })
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  const good = status === 0
  console.log(
    `${good ? '✓' : '✗'} ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)${error ? `: ${error.message}` : ''}`,
  )
  if (name === 'unit tests') {
    for (const folder of folders.filter((folder) => existsSync(reportOf(folder)))) {
      const report = JSON.parse(readFileSync(reportOf(folder), 'utf8'))
      passed += report.numPassedTests
      failed += report.numFailedTests
      failedTests.push(...failedIn(report))
      console.log(
        `  ${folder}: ${report.numPassedTests} passed, ${report.numFailedTests} failed, ${report.numPendingTests} skipped`,
      )
    }
  } else if (good) passed++
  if (good) continue
  failures.push(name)
  if (name !== 'unit tests' || failed === 0) failed++
  if (name === 'build') break // nothing after it can run
}

console.log(
  failures.length
    ? `\nFailed: ${failures.join('; ')}\n${failedTests.map((it) => `  ${it}\n`).join('')}`
    : '\nAll good.\n',
)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failures.length ? 1 : 0)
