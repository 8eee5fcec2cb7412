import { z } from 'zod'
import { ConfigError } from '../config-error.js'
import { type Namespace, namespaceKey } from '../ingest/source-key.js'
import type { JsonFile } from '../state/json-file.js'
import type { Pipe } from './pipe.js'
import { type PipeDefinition, pipeDefinitionSchema, pipeOf } from './pipe-definition.js'
import type { PipeRegistry } from './registry.js'

const kept = z.array(
  z.strictObject({ tenant: z.string(), dataset: z.string(), name: z.string(), definition: pipeDefinitionSchema }),
)

interface SavedPipe {
  readonly namespace: Namespace
  readonly definition: PipeDefinition
  readonly pipe: Pipe
}

/** A pipe, and where its tables are. */
export interface FoundPipe {
  readonly pipe: Pipe
  /** Undefined: it is one of those that the gateway was started with, over tables of its own. */
  readonly namespace?: Namespace
}

/**
 * The pipes of all tenants: those that the gateway was started with, which everybody has, and those that administrators
 * saved, each in its namespace, kept on disk. Of two with one name the saved one is meant.
 */
export class PipeBook {
  readonly #given: PipeRegistry
  readonly #file: JsonFile | undefined
  readonly #saved: Map<string, SavedPipe>
  #last: Promise<unknown> = Promise.resolve()

  /**
   * @param file undefined: none can be saved
   * @throws ConfigError where what is on disk cannot be used
   */
  static async open(given: PipeRegistry, file: JsonFile | undefined): Promise<PipeBook> {
    const result = kept.safeParse((await file?.read()) ?? [])
    if (!result.success) {
      const issue = result.error.issues[0]
      throw new ConfigError('pipes.json', issue?.path.map(String).join('.') ?? '', issue?.message ?? 'is not valid')
    }
    const saved = result.data.map(({ tenant, dataset, name, definition }): SavedPipe => {
      return { namespace: { tenant, dataset }, definition, pipe: pipeOf(name, definition) }
    })
    return new PipeBook(given, file, saved)
  }

  private constructor(given: PipeRegistry, file: JsonFile | undefined, saved: readonly SavedPipe[]) {
    this.#given = given
    this.#file = file
    this.#saved = new Map(saved.map((it) => [keyOf(it.namespace, it.pipe.name), it]))
  }

  /** Whether pipes can be saved. */
  get isOpen(): boolean {
    return this.#file !== undefined
  }

  find(namespace: Namespace, name: string): FoundPipe | undefined {
    const saved = this.#saved.get(keyOf(namespace, name))
    if (saved !== undefined) return { pipe: saved.pipe, namespace: saved.namespace }
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

  /** Saves one. @returns whether it is new @throws what the disk says: then it is as it was */
  put(namespace: Namespace, name: string, definition: PipeDefinition): Promise<boolean> {
    const put = this.#last.then(async () => {
      const key = keyOf(namespace, name)
      const saved = new Map(this.#saved).set(key, { namespace, definition, pipe: pipeOf(name, definition) })
      await this.#file?.write(
        [...saved.values()].map((it) => ({ ...it.namespace, name: it.pipe.name, definition: it.definition })),
      )
      const isNew = !this.#saved.has(key)
      for (const [of, pipe] of saved) this.#saved.set(of, pipe)
      return isNew
    })
    this.#last = put.catch(() => undefined) // told to whoever saved it
    return put
  }
}

const keyOf = (namespace: Namespace, name: string): string => `${namespaceKey(namespace)}/${name}`
