import { readFile } from 'node:fs/promises'
import { isToken } from '@sluice/openapi'
import { UsageError } from '../usage-error.js'

/**
 * The token: the file's, else the environment's; undefined where there is none.
 * @throws UsageError that never shows it
 */
export async function readToken(file: string | undefined, env: string | undefined): Promise<string | undefined> {
  const source = file === undefined ? 'SLUICE_TOKEN' : `--token-file ${file}`
  const text = file === undefined ? env : await read(file)
  const token = text?.trim()
  if (token === undefined || (token === '' && file === undefined)) return undefined
  if (token === '') throw new UsageError(`${source}: the file is empty; it must hold the token`)
  if (!isToken(token)) throw new UsageError(`${source}: the token must be one line of printable ASCII characters`)
  return token
}

const read = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--token-file ${file}: it cannot be read (${error.code})`)
  })
