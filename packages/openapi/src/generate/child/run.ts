import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { GeneratorError } from '../generator-error.js'

const LIBRARY = { types: 'openapi-typescript', sdk: '@hey-api/openapi-ts' } as const

/** `types` by openapi-typescript, `sdk` by hey-api. */
export type Part = keyof typeof LIBRARY

/** What the generators are told. */
export interface Job {
  /** The document, as JSON. */
  readonly documentFile: string
  /** Where its files go. */
  readonly target: string
  /** A folder that holds nothing else: the generators look for settings in it. */
  readonly workingFolder: string
  readonly signal: AbortSignal | undefined
}

/**
 * Runs generators side by side, each in a process of its own.
 * @throws GeneratorError with what the first that failed says, or how it ended; the signal's reason
 */
export async function runGenerators(parts: readonly Part[], { signal, ...job }: Job): Promise<void> {
  const stop = new AbortController()
  const abort = (): void => stop.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  const runs = parts.map((part) => runGenerator(part, { ...job, signal: stop.signal }))
  for (const run of runs) run.catch(() => {}) // told below, when its turn comes
  try {
    // In turn: of two that fail, openapi-typescript tells better where the fault is.
    for (const run of runs) await run
  } catch (error) {
    stop.abort(error) // what the other one makes is of no use
    throw error
  } finally {
    await Promise.allSettled(runs)
    signal?.removeEventListener('abort', abort)
  }
}

async function runGenerator(part: Part, { documentFile, target, workingFolder, signal }: Job): Promise<void> {
  const errorFile = join(workingFolder, `${part}.error`)
  const program = fileURLToPath(new URL('./generate-child.js', import.meta.url))
  const child = spawn(execPath, [program, part, documentFile, target, errorFile], {
    cwd: workingFolder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const kill = (): void => void child.kill('SIGKILL')
  signal?.addEventListener('abort', kill, { once: true })
  if (signal?.aborted) kill()
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said = `${said}${text}`.slice(-KEPT)
  })
  try {
    const ended = await new Promise<string | null>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, by) => resolve(code === 0 ? null : `it ended with ${by ?? `exit code ${code}`}`))
    })
    signal?.throwIfAborted()
    if (ended === null) return
    const told = await readFile(errorFile, 'utf8').catch(() => `${ended}\n${said.trim()}`.trim())
    throw new GeneratorError(LIBRARY[part], told)
  } finally {
    signal?.removeEventListener('abort', kill)
  }
}

/** Characters of a dying process's last words. */
const KEPT = 2000
