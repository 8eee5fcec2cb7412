import { z } from 'zod'
import { DefinitionFolder } from '../state/definition-folder.js'
import { moment } from '../state/kept-form.js'
import { TenantQueue } from '../state/tenant-queue.js'
import { TooManyError } from '../state/too-many-error.js'
import { DataSource } from './data-source.js'
import { conflictOf, type Definition, definitionSchema } from './definition.js'
import { Freshness } from './freshness.js'
import { keptName, type Namespace, sourceKey } from './source-key.js'

const kept = z.strictObject({ ...keptName, created_at_ms: moment, definition: definitionSchema })

/** A definition does not fit the rows that are there. */
export class DefinitionConflictError extends Error {
  override readonly name = 'DefinitionConflictError'
}

/** What keeping definitions needs. */
export interface DataSourcesOptions {
  readonly folder: string
  /** Of one tenant. */
  readonly most: number
  /** Makes its table wherever it may be written. */
  readonly define: (source: DataSource) => Promise<void>
  /** Steady milliseconds, for quotas. */
  readonly nowMs: () => number
  readonly wallNow: () => number
}

/** The data sources of all tenants, kept on disk. */
export class DataSources {
  readonly #options: DataSourcesOptions
  readonly #folder: DefinitionFolder<z.infer<typeof kept>>
  readonly #all: Map<string, DataSource>
  /** About to be deleted, by their keys. */
  readonly #leaving = new Set<string>()
  /** Definitions of a tenant come one after another, since each is compared with the one before it, and counted. */
  readonly #queue = new TenantQueue()

  /** @throws ConfigError where what is on disk cannot be used */
  static async open(options: DataSourcesOptions): Promise<DataSources> {
    const folder = new DefinitionFolder(options.folder, kept)
    const found = await folder.read()
    const all = found.map(({ tenant, dataset, name, created_at_ms, definition }) => {
      const namespace = { tenant, dataset }
      return new DataSource(namespace, name, definition, created_at_ms, new Freshness(), options.nowMs)
    })
    return new DataSources(options, folder, all)
  }

  private constructor(
    options: DataSourcesOptions,
    folder: DefinitionFolder<z.infer<typeof kept>>,
    all: readonly DataSource[],
  ) {
    this.#options = options
    this.#folder = folder
    this.#all = new Map(all.map((it) => [it.key, it]))
  }

  get(key: string): DataSource | undefined {
    return this.#all.get(key)
  }

  find(namespace: Namespace, name: string): DataSource | undefined {
    return this.#all.get(sourceKey(namespace, name))
  }

  all(): readonly DataSource[] {
    return [...this.#all.values()]
  }

  /** Those of a namespace, by name. */
  of({ tenant, dataset }: Namespace): readonly DataSource[] {
    return this.all()
      .filter(({ namespace }) => namespace.tenant === tenant && namespace.dataset === dataset)
      .sort((one, other) => (one.name < other.name ? -1 : 1))
  }

  /** Whether it takes events: it is defined, and nobody is about to delete it. */
  takes({ key }: DataSource): boolean {
    return this.#all.has(key) && !this.#leaving.has(key)
  }

  /**
   * Defines one, new or changed.
   * @throws DefinitionConflictError; TooManyError; what defining its table rejects with; NotKeptError: then it is as it was
   */
  put(namespace: Namespace, name: string, definition: Definition): Promise<{ source: DataSource; isNew: boolean }> {
    return this.#queue.take(namespace.tenant, () => this.#put(namespace, name, definition))
  }

  /**
   * Forgets the definition of one. From this call on it takes no events, unless it stays after all.
   * @param mayGo asked when nothing more can come
   * @returns false: it stays, as it may not go
   * @throws NotKeptError: then it is there still
   */
  delete({ key, namespace, name }: DataSource, mayGo: () => Promise<boolean>): Promise<boolean> {
    return this.#queue.take(namespace.tenant, async () => {
      this.#leaving.add(key)
      try {
        if (!(await mayGo())) return false
        await this.#folder.delete({ ...namespace, name })
        this.#all.delete(key)
        return true
      } finally {
        this.#leaving.delete(key)
      }
    })
  }

  async #put(namespace: Namespace, name: string, definition: Definition) {
    const { define, most, nowMs, wallNow } = this.#options
    const before = this.find(namespace, name)
    const conflict = before && conflictOf(before.definition, definition)
    if (conflict !== undefined) throw new DefinitionConflictError(conflict)
    if (before === undefined && this.#countOf(namespace.tenant) >= most) throw new TooManyError('data sources', most)
    const { createdAtMs = wallNow(), freshness = new Freshness() } = before ?? {}
    const source = new DataSource(namespace, name, definition, createdAtMs, freshness, nowMs)
    // Its table only once the disk has taken the definition: a table that nothing defines would be in the way of another.
    await this.#folder.write({ ...namespace, name, created_at_ms: createdAtMs, definition }, () => define(source))
    this.#all.set(source.key, source)
    return { source, isNew: before === undefined }
  }

  #countOf(tenant: string): number {
    return this.all().filter(({ namespace }) => namespace.tenant === tenant).length
  }
}
