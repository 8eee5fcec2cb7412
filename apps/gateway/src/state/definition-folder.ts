import { access, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { z } from 'zod'
import { ConfigError } from '../config-error.js'
import { type Namespace, sourceKey } from '../ingest/source-key.js'
import { JsonFile, syncFolder } from './json-file.js'
import { fileNameOf } from './line-log.js'
import { NotKeptError } from './not-kept-error.js'
import { makeFolder } from './using-folder.js'

/** What a definition is called. */
export interface DefinitionName extends Namespace {
  readonly name: string
}

/**
 * Definitions on disk, each in a file of its own under the hash of its name: what it costs to keep one does not grow with
 * those that there are.
 */
export class DefinitionFolder<Kept extends DefinitionName> {
  readonly #folder: string
  readonly #schema: z.ZodType<Kept>

  /** @param schema the form that each has */
  constructor(folder: string, schema: z.ZodType<Kept>) {
    this.#folder = folder
    this.#schema = schema
  }

  /**
   * All that there are. Makes the folder where there is none.
   * @throws ConfigError where one cannot be read, has another form, or is not where it belongs
   */
  async read(): Promise<Kept[]> {
    await refuseSingleFile(`${this.#folder}.json`)
    await makeFolder(this.#folder)
    const all: Kept[] = []
    for (const file of (await readdir(this.#folder)).sort()) {
      const path = join(this.#folder, file)
      if (file.endsWith('.json.new')) await rm(path, { force: true }) // a crash left it before it held
      const kept = file.endsWith('.json') ? await new JsonFile(path).read(this.#schema) : undefined
      if (kept === undefined) continue
      const own = this.#pathOf(kept)
      if (own !== path) {
        const whose = `are those of ${sourceKey(kept, kept.name)}, whose file is ${basename(own)}`
        throw new ConfigError(path, 'tenant, dataset and name', `${whose}; give it that name, or take it away`)
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
  async delete(name: DefinitionName): Promise<void> {
    const path = this.#pathOf(name)
    try {
      await rm(path, { force: true })
      await syncFolder(dirname(path))
    } catch (error) {
      throw new NotKeptError(path, error)
    }
  }

  #pathOf(it: DefinitionName): string {
    return `${fileNameOf(this.#folder, sourceKey(it, it.name))}.json`
  }
}

/** Passed over, its definitions would be gone without a word. */
async function refuseSingleFile(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (!isThere) return
  const problem = 'is how an earlier version kept all definitions; take it away, and define them again through the API'
  throw new ConfigError(path, '(the file)', problem)
}
