import { readFile } from 'node:fs/promises'
import { UsageError } from '../usage-error.js'

/** Reads a file that an option names, as UTF-8. @throws UsageError that names the option and the file */
export async function readText(option: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${option}: ${path} cannot be read (${codeOf(error)})`)
  }
}

/** What the file system answered with: `ENOENT`. */
export const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? 'unknown error')
