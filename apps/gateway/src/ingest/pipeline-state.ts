import type { IngestPipeline, SavedPipeline } from '@sluice/ingest'
import type { JsonFile } from '../state/json-file.js'
import type { DataSource } from './data-source.js'
import type { SavedFreshness } from './freshness.js'

interface Saved {
  readonly pipeline: SavedPipeline
  readonly freshness: readonly (readonly [key: string, saved: SavedFreshness])[]
}

/** What a process knew of its data sources beside what is in the spool, for the next one. */
export class PipelineState {
  readonly #file: JsonFile
  readonly #found: Saved | undefined
  readonly #freshness: ReadonlyMap<string, SavedFreshness>
  /** As it was written last: what has not changed is not written again. */
  #written = ''

  static async open(file: JsonFile): Promise<PipelineState> {
    return new PipelineState(file, (await file.read()) as Saved | undefined) // it was written below
  }

  private constructor(file: JsonFile, found: Saved | undefined) {
    this.#file = file
    this.#found = found
    this.#freshness = new Map(found?.freshness)
  }

  get pipeline(): SavedPipeline | undefined {
    return this.#found?.pipeline
  }

  freshnessOf(key: string): SavedFreshness | undefined {
    return this.#freshness.get(key)
  }

  async save(pipeline: IngestPipeline, sources: readonly DataSource[]): Promise<void> {
    const freshness = sources.map(({ key, freshness }) => {
      // By what is on disk: a pipeline that is closed counts no rows any more.
      return [key, freshness.read(pipeline.backlogs.read(key).bytes > 0)] as const
    })
    const saved: Saved = { pipeline: pipeline.snapshot(), freshness }
    const text = JSON.stringify(saved)
    if (text === this.#written) return
    await this.#file.write(saved)
    this.#written = text
  }
}
