import { z } from 'zod'
import { ConfigError } from '../config-error.js'
import type { JsonFile } from '../state/json-file.js'
import { DataSource } from './data-source.js'
import { conflictOf, type Definition, definitionSchema } from './definition.js'
import { Freshness } from './freshness.js'
import { type Namespace, sourceKey } from './source-key.js'

const kept = z.array(
  z.strictObject({
    tenant: z.string(),
    dataset: z.string(),
    name: z.string(),
    created_at_ms: z.number(),
    definition: definitionSchema,
  }),
)

/** A definition does not fit the rows that are there. */
export class DefinitionConflictError extends Error {
  override readonly name = 'DefinitionConflictError'
}

/** What keeping definitions needs. */
export interface DataSourcesOptions {
  readonly file: JsonFile
  /** Makes its table wherever it may be written. */
  readonly define: (source: DataSource) => Promise<void>
  /** Steady milliseconds, for quotas. */
  readonly nowMs: () => number
  readonly wallNow: () => number
}

/** The data sources of all tenants, kept on disk. */
export class DataSources {
  readonly #options: DataSourcesOptions
  readonly #all: Map<string, DataSource>
  /** Definitions come one after another, since each is compared with the one before it. */
  #last: Promise<unknown> = Promise.resolve()

  /** @throws ConfigError where what is on disk cannot be used */
  static async open(options: DataSourcesOptions): Promise<DataSources> {
    const result = kept.safeParse((await options.file.read()) ?? [])
    if (!result.success) {
      const issue = result.error.issues[0]
      throw new ConfigError(
        'data-sources.json',
        issue?.path.map(String).join('.') ?? '',
        issue?.message ?? 'is not valid',
      )
    }
    const all = result.data.map(({ tenant, dataset, name, created_at_ms, definition }) => {
      const namespace = { tenant, dataset }
      return new DataSource(namespace, name, definition, created_at_ms, new Freshness(), options.nowMs)
    })
    return new DataSources(options, all)
  }

  private constructor(options: DataSourcesOptions, all: readonly DataSource[]) {
    this.#options = options
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

  /**
   * Defines one, new or changed.
   * @throws DefinitionConflictError; what defining its table rejects with, or the disk: then it is as it was
   */
  put(namespace: Namespace, name: string, definition: Definition): Promise<{ source: DataSource; isNew: boolean }> {
    const put = this.#last.then(() => this.#put(namespace, name, definition))
    this.#last = put.catch(() => undefined) // told to whoever defined it
    return put
  }

  async #put(namespace: Namespace, name: string, definition: Definition) {
    const { define, file, nowMs, wallNow } = this.#options
    const before = this.find(namespace, name)
    const conflict = before && conflictOf(before.definition, definition)
    if (conflict !== undefined) throw new DefinitionConflictError(conflict)
    const { createdAtMs = wallNow(), freshness = new Freshness() } = before ?? {}
    const source = new DataSource(namespace, name, definition, createdAtMs, freshness, nowMs)
    await define(source)
    const all = new Map(this.#all).set(source.key, source)
    await file.write(
      [...all.values()].map((it) => ({
        ...{ ...it.namespace, name: it.name, created_at_ms: it.createdAtMs },
        definition: it.definition,
      })),
    )
    this.#all.set(source.key, source)
    return { source, isNew: before === undefined }
  }
}
