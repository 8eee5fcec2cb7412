import { constants } from 'node:fs'
import { access, type FileHandle, mkdtemp, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { codeOf } from '../arguments/read-text.js'
import { UsageError } from '../usage-error.js'
import { OutputError } from './output-error.js'
import type { Sink } from './sink.js'

/** A file that appears under its name when it is complete, and not before. */
export interface OutputFile {
  /** Makes the temporary file beside it. */
  open(): Promise<OpenFile>
}

export interface OpenFile extends Sink {
  /** Gives the file its name. */
  keep(): Promise<void>
  /** Leaves no trace; does nothing after `keep`. */
  drop(): Promise<void>
}

/**
 * Looks at a file that is to be written, before anything is sent: a POST must not be made in vain.
 * @throws UsageError that names the file and what is wrong with it
 */
export async function outputFile(path: string): Promise<OutputFile> {
  const present = await stat(path).catch(() => undefined)
  if (present?.isDirectory()) throw new UsageError(`-o: ${path} is a folder; name a file in it`)
  if (path === '' || path.endsWith('/') || path.endsWith(sep))
    throw new UsageError(`-o: ${JSON.stringify(path)} names no file`)
  // A device or a pipe has no whole to wait for, and must not be replaced by a file.
  if (present && !present.isFile()) return { open: () => openDirectly(path) }
  const target = present ? await realpath(path) : path // what a link points to is replaced, not the link
  const folder = dirname(target)
  try {
    await access(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new UsageError(`-o: nothing can be written in ${folder} (${codeOf(error)})`)
  }
  return { open: () => openBeside(target, folder, present?.mode) }
}

async function openBeside(target: string, folder: string, mode = 0o666): Promise<OpenFile> {
  const told = failing(target)
  const own = await told(mkdtemp(join(folder, `.${basename(target)}-`))) // beside it: a rename within one file system
  const temporary = join(own, 'part')
  const handle = await told(open(temporary, 'wx', mode))
  return {
    ...writing(handle, target),
    async keep() {
      await told(handle.close())
      await told(rename(temporary, target))
      await rm(own, { recursive: true, force: true })
    },
    async drop() {
      await handle.close().catch(() => {})
      await rm(own, { recursive: true, force: true })
    },
  }
}

async function openDirectly(path: string): Promise<OpenFile> {
  const handle = await failing(path)(open(path, 'w'))
  const close = (): Promise<void> => handle.close().catch(() => {})
  return { ...writing(handle, path), keep: close, drop: close }
}

const writing = (handle: FileHandle, path: string): Sink => ({
  write: (chunk) => failing(path)(handle.writeFile(chunk)),
})

const failing =
  (path: string) =>
  <T>(work: Promise<T>): Promise<T> =>
    work.catch((error) => {
      throw new OutputError(path, codeOf(error), error)
    })
