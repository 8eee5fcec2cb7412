#!/usr/bin/env node
// `pnpm conformance`: every package that wears the policy replays the tables of spec/ through its public entry.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const HELP = `Usage: node scripts/conformance.mjs [--root DIR] [--reports]

Runs test/replay.test.ts of every workspace package whose package.json has "sluice": {"replays": ["<suite>", …]},
one after another, and prints package × suite as passed/total. Every folder of packages/ that is @sluice/core or
depends on it must declare its suites, or in "sluice": {"replaysNothing": "…"} why it has no calls to replay. Build
first: the replays import what is in dist/.

  --root DIR   the workspace; default: the one this script is in
  --reports    run nothing: read what the packages' last test runs left in .report/
  --help       this text

Exit codes: 0 every declared cell passed; 1 a cell failed, is missing or empty, or a package does not declare its
suites; 2 usage, or a workspace that cannot be read.`

const REPLAY_TEST = 'test/replay.test.ts'

class UsageError extends Error {}

function main() {
  const { root, reports: onlyRead } = optionsOf(process.argv.slice(2))
  if (root === null) {
    console.log(HELP)
    return 0
  }
  const suites = suitesOf(root)
  const packages = workspacePackages(root)
  const problems = packages.flatMap((one) => declarationProblems(one, suites))
  const declaring = packages.filter((one) => one.replays !== undefined && declarationProblems(one, suites).length === 0)
  if (declaring.length === 0 && problems.length === 0) {
    problems.push('No package declares "sluice": {"replays": […]} in its package.json: nothing was replayed.')
  }

  const reports = new Map(declaring.map((one) => [one.name, replay(one, onlyRead)]))
  for (const one of declaring) problems.push(...cellProblems(one, reports.get(one.name)))
  if (declaring.length > 0) console.log(tableOf(declaring, reports, suites))
  for (const problem of problems) console.error(problem)
  return problems.length > 0 ? 1 : 0
}

function optionsOf(args) {
  let values
  try {
    const options = { root: { type: 'string' }, reports: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } }
    values = parseArgs({ args, options }).values
  } catch (error) {
    throw new UsageError(`${error.message}\n\n${HELP}`)
  }
  if (values.help) return { root: null }
  const root = values.root === undefined ? fileURLToPath(new URL('..', import.meta.url)) : resolve(values.root)
  return { root, reports: values.reports ?? false }
}

/** The suites that spec/ offers: those that its tables name. */
function suitesOf(root) {
  const folder = join(root, 'spec')
  if (!existsSync(folder)) throw new UsageError(`${folder} does not exist; --root must name a workspace with a spec/`)
  const tables = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'package.json')
  const suites = tables.map((name) => readJson(join(folder, name)).suite).filter((suite) => typeof suite === 'string')
  if (suites.length === 0) throw new UsageError(`${folder} holds no table: no *.json file there has a "suite"`)
  return [...new Set(suites)].sort((a, b) => b.localeCompare(a))
}

/** The packages that pnpm-workspace.yaml names, by folder (`spec`) or by all folders in one (`packages/*`). */
function workspacePackages(root) {
  const file = join(root, 'pnpm-workspace.yaml')
  if (!existsSync(file)) throw new UsageError(`${file} does not exist; --root must name a pnpm workspace`)
  const list = /^packages:\n((?: +- .*\n?)+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
  const patterns = [...list.matchAll(/- ['"]?([^'"\n]+?)['"]?\s*$/gm)].map(([, pattern]) => pattern)
  if (patterns.length === 0) throw new UsageError(`${file} has no packages: list of folders`)
  const folders = patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern]
    const parent = pattern.slice(0, -2)
    return existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => `${parent}/${name}`) : []
  })
  return folders
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => {
      const manifest = readJson(join(root, folder, 'package.json'))
      return { folder, path: join(root, folder), name: manifest.name, manifest, replays: manifest.sluice?.replays }
    })
}

function declarationProblems({ folder, name, manifest, replays }, suites) {
  const needs = { ...manifest.dependencies, ...manifest.peerDependencies }
  const wearsPolicy = folder.startsWith('packages/') && (name === '@sluice/core' || '@sluice/core' in needs)
  if (replays === undefined) {
    const why = manifest.sluice?.replaysNothing
    if (!wearsPolicy || (typeof why === 'string' && why !== '')) return []
    const what = name === '@sluice/core' ? 'is @sluice/core' : 'depends on @sluice/core'
    return [`${name} ${what} but declares no suites: add "sluice": {"replays": […]} to ${folder}/package.json.`]
  }
  if (!Array.isArray(replays) || replays.length === 0) {
    return [
      `${folder}/package.json: sluice.replays is ${JSON.stringify(replays)}; allowed: a list of ${suites.join(', ')}.`,
    ]
  }
  return replays
    .filter((suite) => !suites.includes(suite))
    .map(
      (suite) =>
        `${folder}/package.json: sluice.replays names ${JSON.stringify(suite)}; allowed: ${suites.join(', ')}.`,
    )
}

/** Runs one package's replay test, or not; answers what it reported, by suite. */
function replay({ name, path, replays }, onlyRead) {
  const reportFile = (suite) => join(path, '.report', `replay-${suite}.json`)
  const read = () => {
    const written = replays.filter((suite) => existsSync(reportFile(suite)))
    return new Map(written.map((suite) => [suite, readJson(reportFile(suite))]))
  }
  if (onlyRead) return { problem: null, bySuite: read() }
  if (existsSync(join(path, '.report'))) {
    for (const file of readdirSync(join(path, '.report'))) {
      if (/^replay-.*\.json$/.test(file)) rmSync(join(path, '.report', file))
    }
  }
  if (!existsSync(join(path, REPLAY_TEST))) return { problem: `there is no ${REPLAY_TEST}`, bySuite: new Map() }

  const vitest = vitestOf(path)
  if (vitest === null) return { problem: 'vitest is not installed there', bySuite: new Map() }
  const run = spawnSync(process.execPath, [vitest, 'run', REPLAY_TEST], {
    cwd: path,
    encoding: 'utf8',
    maxBuffer: 256 * 2 ** 20,
  })
  const failed = run.status !== 0
  if (failed) console.error(`── ${name}: vitest run ${REPLAY_TEST}\n${run.stdout ?? ''}${run.stderr ?? ''}`)
  return { problem: failed ? `its ${REPLAY_TEST} failed` : null, bySuite: read() }
}

function vitestOf(path) {
  try {
    return join(dirname(createRequire(join(path, 'package.json')).resolve('vitest/package.json')), 'vitest.mjs')
  } catch {
    return null
  }
}

/** What is wrong with a package's row of the table, a sentence each. */
function cellProblems({ name, manifest, replays }, { problem, bySuite }) {
  const cells = replays.flatMap((suite) => {
    const cell = `${name} × ${suite}`
    const report = bySuite.get(suite)
    if (report === undefined)
      return [`${cell} is missing: no .report/replay-${suite}.json was written${problem ? `, ${problem}` : ''}.`]
    if (!isOwnEntry(report.entry, manifest)) {
      return [`${cell} replayed ${JSON.stringify(report.entry)}, which is no public entry of ${name} in its exports.`]
    }
    const { passed, failed, differs, skipped, total } = report
    if (failed > 0) return [`${cell} failed: ${failed} of ${total} rows; run vitest there to see them.`]
    if (passed === 0) return [`${cell} is empty: 0 of ${total} rows passed.`]
    const ran = passed + differs + skipped
    return ran === total ? [] : [`${cell} is incomplete: ${ran} of ${total} rows ran.`]
  })
  return cells.length === 0 && problem !== null ? [`${name}: ${problem}.`] : cells
}

/** The package's own name, or a subpath that its `exports` names. */
function isOwnEntry(entry, { name, exports }) {
  const subpath = entry === name ? '.' : entry?.startsWith(`${name}/`) ? `.${entry.slice(name.length)}` : null
  if (subpath === null) return false
  if (typeof exports === 'string') return subpath === '.'
  return exports !== undefined && subpath in exports
}

function tableOf(packages, reports, suites) {
  const columns = suites.filter((suite) => packages.some(({ replays }) => replays.includes(suite)))
  const rows = packages.map((one) => {
    const { bySuite } = reports.get(one.name)
    return [one.name, ...columns.map((suite) => (one.replays.includes(suite) ? cellText(bySuite.get(suite)) : '–'))]
  })
  const lines = [['package', ...columns], ...rows]
  const widths = lines[0].map((_, i) => Math.max(...lines.map((line) => line[i].length)))
  return lines
    .map((line) =>
      line
        .map((text, i) => text.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cellText(report) {
  if (report === undefined) return 'missing'
  const { passed, total, failed, differs, skipped, decision } = report
  const notes = [
    [failed, 'failed'],
    [differs, 'may rows differ'],
    [decision, 'decision skipped'],
    [skipped - decision, 'otherwise skipped'],
  ].filter(([count]) => count > 0)
  const text = notes.map(([count, what]) => `${count} ${what}`).join(', ')
  return `${passed}/${total}${text === '' ? '' : ` (${text})`}`
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new UsageError(`${relative(process.cwd(), path)}: ${error.message}`)
  }
}

try {
  process.exitCode = main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
