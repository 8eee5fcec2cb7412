import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError } from '../config-error.js'
import { syncFolder } from './json-file.js'

/** A folder that was named, and where. */
export interface NamedFolder {
  /** Default `options`. */
  readonly source?: string
  readonly field: string
  readonly folder: string
}

const ANOTHER = 'or name another folder'

/** What is to be done about what a file system says. */
const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: `make room on its disk, ${ANOTHER}`,
  EDQUOT: `make room in the quota of its user, ${ANOTHER}`,
  EROFS: `its file system is read-only; mount it for writing, ${ANOTHER}`,
  EACCES: `give it to the user that the gateway runs as, ${ANOTHER}`,
  EPERM: `give it to the user that the gateway runs as, ${ANOTHER}`,
  EEXIST: 'what is there is no folder; move it away, or name a folder',
  ENOTDIR: 'what is there is no folder; move it away, or name a folder',
}

/**
 * What is done in a folder when a gateway starts: what the file system says to it comes with the folder and a remedy.
 * @throws ConfigError in the place of what the file system says; what else the work throws, as it is
 */
export async function usingFolder<T>(named: NamedFolder, work: () => Promise<T>): Promise<T> {
  const { source = 'options', field, folder } = named
  try {
    return await work()
  } catch (error) {
    if (!isOfFileSystem(error)) throw error
    const remedy = REMEDIES[error.code] ?? `see to that, ${ANOTHER}`
    throw new ConfigError(source, field, `${folder} cannot be used (${error.message}); ${remedy}`)
  }
}

/**
 * Makes a folder where there is none, and whatever it is in; all of them are on disk when this fulfils. By steps: what a
 * read-only file system says is lost by `mkdir` with `recursive`, which then says that there is none.
 * @param mode of all that are made
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await make(path, mode)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path), mode)
    await make(path, mode)
  }
}

async function make(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode })
    await syncFolder(dirname(path)) // a power cut would take it, with all that is put into it
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // fs rejects with errno exceptions only
    if (code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error
  }
}

function isOfFileSystem(error: unknown): error is NodeJS.ErrnoException & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
}
