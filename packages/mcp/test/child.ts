import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export const BIN: string = fileURLToPath(new URL('../bin/sluice-mcp.js', import.meta.url))
export const LOGS: string = fileURLToPath(new URL('fixtures/logs.yaml', import.meta.url))

/** Nothing of this machine's environment but the path; a cache that no other run has filled. */
export const environment = (more: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  XDG_CACHE_HOME: mkdtempSync(join(tmpdir(), 'sluice-mcp-')),
  ...more,
})

export interface Child {
  readonly process: ChildProcess
  stdout(): string
  stderr(): string
  /** Resolves with stderr when it matches. */
  said(pattern: RegExp): Promise<string>
  readonly ended: Promise<number | string | null>
}

/** Starts `sluice-mcp` as a process of its own; it is ended with the test. */
export function start(args: readonly string[], env: Record<string, string> = {}): Child {
  const child = spawn(process.execPath, [BIN, ...args], { env: environment(env), timeout: 60_000 })
  const written = { stdout: '', stderr: '' }
  let look = (): void => {}
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
      look()
    })
  child.stdin.on('error', () => {})
  const ended = new Promise<number | string | null>((resolve) =>
    child.on('close', (code, signal) => {
      resolve(code ?? signal)
      look()
    }),
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    process: child,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        look = () => {
          if (pattern.test(written.stderr)) resolve(written.stderr)
          else if (child.exitCode !== null) reject(new Error(`ended; stderr: ${written.stderr}`))
        }
        look()
      }),
    ended,
  }
}
