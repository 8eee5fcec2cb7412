import { mkdir, readdir, readFile, realpath, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { type Files, MANIFEST, readManifest } from './manifest.js'
import { OutputFolderError } from './output-folder-error.js'

/** What is in an output folder now, as far as it concerns us. */
export interface OutputFolder {
  readonly path: string
  /** Files that an earlier run made, with their content; null where one is gone. */
  readonly known: ReadonlyMap<string, string | null>
  /** Whether something is there that was not made by us: names of the first level. */
  readonly foreign: readonly string[]
}

/** @throws OutputFolderError for a file, a folder that cannot be read, a manifest that is broken */
export async function lookAt(path: string): Promise<OutputFolder> {
  const found = await stat(path).catch(() => undefined)
  if (found && !found.isDirectory()) throw new OutputFolderError(`-o: ${path} is a file; name a folder`)
  const entries = found ? await told(path, readdir(path)) : []
  const text = entries.includes(MANIFEST) ? await told(path, readFile(join(path, MANIFEST), 'utf8')) : null
  if (text === null) return { path, known: new Map(), foreign: entries }
  const names = readManifest(text, join(path, MANIFEST))
  const contents = names.map(
    async (name) => [name, await readFile(join(path, name), 'utf8').catch(() => null)] as const,
  )
  const ours = new Set(names.map((name) => name.split('/')[0]))
  return { path, known: new Map(await Promise.all(contents)), foreign: entries.filter((name) => !ours.has(name)) }
}

/** @throws OutputFolderError for a folder with files in it, none of which we made */
export function refuseForeign({ path, known, foreign }: OutputFolder): void {
  if (known.size === 0 && foreign.length > 0)
    throw new OutputFolderError(
      `-o: ${path} holds files that \`sluice generate\` did not make (${shortList(foreign)}); name an empty folder, or say --force to write beside them`,
    )
}

/**
 * Writes what differs, deletes what is no longer made, touches nothing else.
 * @param force whether a folder that we did not make may be written into, and its files of the same name replaced
 * @throws OutputFolderError before anything is written
 */
export async function writeTo(folder: OutputFolder, files: Files, force: boolean): Promise<void> {
  const { path, known } = folder
  if (!force) refuseForeign(folder)
  if (!force)
    // The same content: another run of ours was quicker.
    for (const [name, content] of files)
      if (!known.has(name) && ![undefined, content].includes(await present(join(path, name))))
        throw new OutputFolderError(
          `-o: ${join(path, name)} was not made by \`sluice generate\`, and would be replaced; move it, or say --force`,
        )
  await told(path, mkdir(path, { recursive: true }))
  const root = await realpath(path)
  for (const [name, content] of files) {
    if (known.get(name) === content) continue
    const file = await placeOf(root, name)
    const part = `${file}.part`
    await told(file, writeFile(part, content))
    await told(file, rename(part, file)) // it appears when it is complete
  }
  for (const name of known.keys()) {
    if (files.has(name)) continue
    const file = await placeOf(root, name)
    await told(file, rm(file, { force: true }))
    await rmdir(dirname(file)).catch(() => {}) // where it was the last one
  }
}

/** What is under a path; undefined where there is nothing. */
const present = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error) => (error.code === 'ENOENT' ? undefined : String(error)))

/** A file's path, its folder made. A link must not lead the writer, or the broom, out of the folder. */
async function placeOf(root: string, name: string): Promise<string> {
  const folder = dirname(join(root, name))
  await told(folder, mkdir(folder, { recursive: true }))
  const real = await realpath(folder)
  if (real !== root && !real.startsWith(root + sep))
    throw new OutputFolderError(`-o: ${folder} is a link that leads out of ${root}; remove it`)
  return join(root, name)
}

const told = <T>(path: string, work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw new OutputFolderError(`-o: ${path}: ${String(error?.code ?? error)}`, error)
  })

const shortList = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`
