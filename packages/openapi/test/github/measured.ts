import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a program cost. */
export interface Cost {
  readonly seconds: number
  /** Of all its processes. */
  readonly cpuSeconds: number
  /** The peaks of its processes, added up: no less than what it held at once. */
  readonly megabytes: number
}

/** Runs a Node program to its end. @throws where it fails */
export function measured(folder: string, file: string, ...args: string[]): Cost {
  const usageFile = join(folder, 'usage.jsonl')
  writeFileSync(usageFile, '')
  const hook = new URL('report-usage.mjs', import.meta.url).href
  const env = { ...process.env, NODE_OPTIONS: `--import=${hook}`, USAGE_FILE: usageFile }
  const start = performance.now()
  execFileSync(process.execPath, [file, ...args], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const seconds = (performance.now() - start) / 1000
  const lines = readFileSync(usageFile, 'utf8').trim().split('\n')
  const usages: { maxRSS: number; cpu: number }[] = lines.map((line) => JSON.parse(line))
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
  return {
    seconds,
    cpuSeconds: sum(usages.map(({ cpu }) => cpu)) / 1e6,
    megabytes: sum(usages.map(({ maxRSS }) => maxRSS)) / 1024,
  }
}
