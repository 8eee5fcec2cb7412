import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const BIN: string = fileURLToPath(new URL('../bin/sluice.js', import.meta.url))

export interface Ended {
  /** A number, or the signal that ended it. */
  code: number | string | null
  stdout: string
  stderr: string
  /** From its start. */
  ms: number
}

export interface Child {
  process: ChildProcess
  ended: Promise<Ended>
}

/** Starts a program, with nothing in its environment but the path and what is given. */
export function start(command: string, args: readonly string[], env: Record<string, string> = {}): Child {
  const begun = performance.now()
  const child = spawn(command, args, { env: { PATH: process.env.PATH ?? '', ...env }, timeout: 20_000 })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
    })
  child.stdin.on('error', () => {}) // a command that reads none of it may have ended
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject).on('close', (code, signal) => {
      resolve({ code: code ?? signal, ...written, ms: performance.now() - begun })
    })
  })
  return { process: child, ended }
}

/** Runs `sluice` as a process of its own, with this on its stdin. */
export function sluice(
  args: readonly string[],
  { input = '', env = {} }: { input?: string | Buffer; env?: Record<string, string> } = {},
): Promise<Ended> {
  const child = start(process.execPath, [BIN, ...args], env)
  child.process.stdin?.end(input)
  return child.ended
}
