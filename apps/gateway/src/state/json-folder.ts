import { access, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { z } from 'zod'
import { ConfigError } from '../config-error.js'
import { JsonFile, syncFolder } from './json-file.js'
import { fileNameOf } from './line-log.js'
import { NotKeptError } from './not-kept-error.js'
import { makeFolder } from './using-folder.js'

/** What is kept in a folder, and how. */
export interface JsonFolderOptions<Name, Kept> {
  readonly folder: string
  /** The form that each has. */
  readonly schema: z.ZodType<Kept>
  /** By which one is told from another. */
  readonly keyOf: (name: Name) => string
  /** Those of its members that are its name, for messages. */
  readonly members: string
  /** What an earlier version had in one file beside the folder, and the remedy: "all definitions; take it away, and …". */
  readonly earlier: string
}

/**
 * Values on disk, each in a file of its own under the hash of its name: what it costs to keep one does not grow with those
 * that there are.
 */
export class JsonFolder<Name, Kept extends Name> {
  readonly #options: JsonFolderOptions<Name, Kept>

  constructor(options: JsonFolderOptions<Name, Kept>) {
    this.#options = options
  }

  /**
   * All that there are. Makes the folder where there is none.
   * @throws ConfigError where one cannot be read, has another form, or is not where it belongs
   */
  async read(): Promise<Kept[]> {
    const { folder, schema, keyOf, members, earlier } = this.#options
    await refuseSingleFile(`${folder}.json`, earlier)
    await makeFolder(folder)
    const all: Kept[] = []
    for (const file of (await readdir(folder)).sort()) {
      const path = join(folder, file)
      if (file.endsWith('.json.new')) await rm(path, { force: true }) // a crash left it before it held
      const kept = file.endsWith('.json') ? await new JsonFile(path).read(schema) : undefined
      if (kept === undefined) continue
      const own = this.#pathOf(kept)
      if (own !== path) {
        const whose = `${members.includes(' ') ? 'are those' : 'is that'} of ${keyOf(kept)}, whose file is ${basename(own)}`
        throw new ConfigError(path, members, `${whose}; give it that name, or take it away`)
      }
      all.push(kept)
    }
    return all
  }

  /**
   * Fulfils once it is on disk.
   * @param first what must come about before it holds
   * @throws NotKeptError, or what `first` rejects with: then what was there before is there still
   */
  write(kept: Kept, first?: () => Promise<void>): Promise<void> {
    return new JsonFile(this.#pathOf(kept)).write(kept, first)
  }

  /** Fulfils once it is gone. @throws NotKeptError: then it is there still */
  async delete(name: Name): Promise<void> {
    const path = this.#pathOf(name)
    try {
      await rm(path, { force: true })
      await syncFolder(dirname(path))
    } catch (error) {
      throw new NotKeptError(path, error)
    }
  }

  #pathOf(name: Name): string {
    const { folder, keyOf } = this.#options
    return `${fileNameOf(folder, keyOf(name))}.json`
  }
}

/** Passed over, what is in it would be gone without a word. */
async function refuseSingleFile(path: string, earlier: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (isThere) throw new ConfigError(path, '(the file)', `is how an earlier version kept ${earlier}`)
}
