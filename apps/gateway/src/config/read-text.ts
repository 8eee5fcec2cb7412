import { readFile } from 'node:fs/promises'
import { ConfigError } from '../config-error.js'

/** Reads a file that somebody named. @throws ConfigError */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // fs rejects with errno exceptions only
    throw new ConfigError(file, '(the file)', `cannot be read (${code}); name one that can`)
  }
}
