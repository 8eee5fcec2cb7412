import { z } from 'zod'
import { keptName, type Namespace, namespaceKey } from '../ingest/source-key.js'
import { DefinitionFolder } from '../state/definition-folder.js'
import { TenantQueue } from '../state/tenant-queue.js'
import { TooManyError } from '../state/too-many-error.js'
import type { Pipe } from './pipe.js'
import { keptDefinitionSchema, type PipeDefinition, type ReadPipe, readPipe } from './pipe-definition.js'
import type { PipeRegistry } from './registry.js'
import { namesIn } from './sql-words.js'

const kept = z.strictObject({ ...keptName, definition: keptDefinitionSchema })
type KeptPipe = z.infer<typeof kept>

/** One that was saved: where there is a fault it is kept and does not run, as an earlier version saved it. */
export interface SavedPipe extends Omit<ReadPipe, 'tokens'> {
  readonly namespace: Namespace
  readonly definition: PipeDefinition
  /** Those in its SQL: what may be a data source among them. */
  readonly names: ReadonlySet<string>
  /** The nodes on which it was found to stay within its data set: each has databases and functions of its own. */
  readonly within: Set<string>
}

/** A pipe of those that the gateway was started with, over tables of its own; or one that was saved. */
export type FoundPipe = Pick<SavedPipe, 'pipe'> & Partial<Omit<SavedPipe, 'definition'>>

/**
 * The pipes of all tenants: those that the gateway was started with, which everybody has, and those that administrators
 * saved, each in its namespace, kept on disk. Of two with one name the saved one is meant.
 */
export class PipeBook {
  readonly #given: PipeRegistry
  readonly #folder: DefinitionFolder<KeptPipe> | undefined
  readonly #most: number
  readonly #saved: Map<string, SavedPipe>
  readonly #queue = new TenantQueue()

  /**
   * @param path the folder where they are kept. Undefined: none can be saved
   * @param most of one tenant
   * @throws ConfigError where what is on disk cannot be used
   */
  static async open(given: PipeRegistry, path: string | undefined, most: number): Promise<PipeBook> {
    const folder = path === undefined ? undefined : new DefinitionFolder(path, kept)
    const found = (await folder?.read()) ?? []
    const saved = found.map(({ tenant, dataset, name, definition }) =>
      savedPipe({ tenant, dataset }, definition, readPipe(name, definition)),
    )
    return new PipeBook(given, folder, most, saved)
  }

  private constructor(
    given: PipeRegistry,
    folder: DefinitionFolder<KeptPipe> | undefined,
    most: number,
    saved: readonly SavedPipe[],
  ) {
    this.#given = given
    this.#folder = folder
    this.#most = most
    this.#saved = new Map(saved.map((it) => [keyOf(it.namespace, it.pipe.name), it]))
  }

  /** Those that do not run, by `tenant/dataset/name`, and why not. */
  get refused(): readonly { readonly pipe: string; readonly fault: string }[] {
    return [...this.#saved].flatMap(([pipe, { fault }]) => (fault === undefined ? [] : [{ pipe, fault }]))
  }

  /** Whether pipes can be saved. */
  get isOpen(): boolean {
    return this.#folder !== undefined
  }

  find(namespace: Namespace, name: string): FoundPipe | undefined {
    const saved = this.#saved.get(keyOf(namespace, name))
    if (saved !== undefined) return saved
    const pipe = this.#given.find(name)
    return pipe && { pipe }
  }

  /** All that a namespace has, the given ones first. */
  list(namespace: Namespace): readonly Pipe[] {
    const here = namespaceKey(namespace)
    const saved = [...this.#saved.values()].filter((it) => namespaceKey(it.namespace) === here).map(({ pipe }) => pipe)
    const names = new Set(saved.map(({ name }) => name))
    const given = this.#given.names.flatMap((name) => (names.has(name) ? [] : (this.#given.find(name) ?? [])))
    return [...given, ...saved.sort((one, other) => (one.name < other.name ? -1 : 1))]
  }

  /** Saves one that has no fault. @returns whether it is new @throws TooManyError, NotKeptError: then it is as it was */
  put(one: SavedPipe): Promise<boolean> {
    const { namespace, definition, pipe } = one
    const key = keyOf(namespace, pipe.name)
    return this.#queue.take(namespace.tenant, async () => {
      const isNew = !this.#saved.has(key)
      if (isNew && this.#countOf(namespace.tenant) >= this.#most) throw new TooManyError('pipes', this.#most)
      await this.#folder?.write({ ...namespace, name: pipe.name, definition })
      this.#saved.set(key, one)
      return isNew
    })
  }

  /** Forgets one that was saved. @returns false: none of that name was @throws NotKeptError: then it is there still */
  delete(namespace: Namespace, name: string): Promise<boolean> {
    const key = keyOf(namespace, name)
    return this.#queue.take(namespace.tenant, async () => {
      if (!this.#saved.has(key)) return false
      await this.#folder?.delete({ ...namespace, name })
      return this.#saved.delete(key)
    })
  }

  #countOf(tenant: string): number {
    return [...this.#saved.values()].filter(({ namespace }) => namespace.tenant === tenant).length
  }
}

const keyOf = (namespace: Namespace, name: string): string => `${namespaceKey(namespace)}/${name}`

/** As it is saved. */
export function savedPipe(namespace: Namespace, definition: PipeDefinition, read: ReadPipe): SavedPipe {
  const { tokens, ...it } = read
  return { ...it, namespace, definition, names: namesIn(tokens), within: new Set() }
}
