import type { IngestPipeline, SavedPipeline } from '@sluice/ingest'
import { JsonFolder } from '../state/json-folder.js'
import { TenantQueue } from '../state/tenant-queue.js'
import type { DataSource } from './data-source.js'
import type { SavedFreshness } from './freshness.js'
import { byTenant, grouped, joined, NOTHING, type SavedState, savedState } from './saved-state.js'

/** What there is to be put on disk. */
export interface KnownState {
  readonly pipeline: Pick<IngestPipeline, 'snapshot' | 'backlogs'>
  readonly sources: readonly DataSource[]
}

/** Files that are written at once where all are: what is synced together costs a disk less. */
const AT_ONCE = 4

/**
 * What a process knew of its data sources beside what is in the spool, for the next one: a file for each tenant, since what
 * one of them changes is on disk before it is answered, and must not cost more the more others there are.
 */
export class PipelineState {
  readonly #folder: JsonFolder<Pick<SavedState, 'tenant'>, SavedState>
  readonly #found: readonly SavedState[]
  readonly #freshness: ReadonlyMap<string, SavedFreshness>
  /** By tenant, as it was written last: what has not changed is not written again. */
  readonly #written: Map<string, string>
  /** By tenant, how often it was put on disk, or was found to be there. */
  readonly #saves = new Map<string, number>()
  /** Each as all is when its turn comes: what was changed is never overtaken by what was before it. */
  readonly #queue = new TenantQueue()

  /** @throws ConfigError where what is on disk cannot be used */
  static async open(path: string): Promise<PipelineState> {
    const folder = new JsonFolder<Pick<SavedState, 'tenant'>, SavedState>({
      ...{ folder: path, schema: savedState, keyOf: ({ tenant }) => tenant, members: 'tenant' },
      earlier: 'this of all tenants; take it away, and pause and route again through the API',
    })
    return new PipelineState(folder, await folder.read())
  }

  private constructor(folder: JsonFolder<Pick<SavedState, 'tenant'>, SavedState>, found: readonly SavedState[]) {
    this.#folder = folder
    this.#found = found
    this.#freshness = new Map(found.flatMap(({ freshness }) => freshness))
    this.#written = new Map(found.map((it) => [it.tenant, JSON.stringify(it)]))
  }

  /** As it was found. */
  get pipeline(): SavedPipeline {
    return joined(this.#found.map(({ pipeline }) => pipeline))
  }

  /** As it was found; undefined: nothing was. */
  freshnessOf(key: string): SavedFreshness | undefined {
    return this.#freshness.get(key)
  }

  /**
   * Puts on disk how all of a tenant is, or how it will be, and then has it so.
   * @param known asked when its turn comes
   * @param change what will be
   * @param act makes it so, at once
   * @throws NotKeptError: then nothing has changed
   */
  save(
    tenant: string,
    known: () => KnownState,
    change: (saved: SavedPipeline) => SavedPipeline = (it) => it,
    act: () => void = () => {},
  ): Promise<void> {
    return this.#queue.take(tenant, async () => {
      const { pipeline, sources } = known()
      const saved = pipeline.snapshot((key) => key.startsWith(`${tenant}/`))
      const own = sources.filter(({ namespace }) => namespace.tenant === tenant)
      await this.#write(tenant, change(saved), { pipeline, sources: own })
      act()
      this.#count(tenant)
    })
  }

  /**
   * Puts on disk how all of all tenants is now, a few at a time. Of one whose owner changes something meanwhile that is there
   * already, and newer.
   * @throws NotKeptError where one could not be put there; the others are
   */
  async saveAll({ pipeline, sources }: KnownState): Promise<void> {
    const states = byTenant(pipeline.snapshot())
    const own = grouped(sources, ({ namespace }) => namespace.tenant)
    const saves = new Map(this.#saves)
    const tenants = new Set([...states.keys(), ...own.keys(), ...this.#written.keys()]).values()
    const errors: unknown[] = []
    const writeNext = async (): Promise<void> => {
      for (const tenant of tenants) {
        const write = async (): Promise<void> => {
          if (this.#saves.get(tenant) !== saves.get(tenant)) return
          await this.#write(tenant, states.get(tenant) ?? NOTHING, { pipeline, sources: own.get(tenant) ?? [] })
          this.#count(tenant)
        }
        await this.#queue.take(tenant, write).catch((error) => errors.push(error))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, writeNext))
    if (errors.length > 0) throw errors[0]
  }

  async #write(tenant: string, saved: SavedPipeline, { pipeline, sources }: KnownState): Promise<void> {
    const freshness = sources.map(({ key, freshness }) => {
      // By what is on disk: a pipeline that is closed counts no rows any more.
      return [key, freshness.read(pipeline.backlogs.read(key).bytes > 0)] as const
    })
    const state: SavedState = { tenant, pipeline: saved, freshness }
    const text = JSON.stringify(state)
    if (text === this.#written.get(tenant)) return
    this.#written.set(tenant, '') // what fails may be on disk all the same
    await this.#folder.write(state)
    this.#written.set(tenant, text)
  }

  #count(tenant: string): void {
    this.#saves.set(tenant, (this.#saves.get(tenant) ?? 0) + 1)
  }
}
