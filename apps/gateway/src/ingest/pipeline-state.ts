import type { IngestPipeline, SavedPipeline } from '@sluice/ingest'
import type { JsonFile } from '../state/json-file.js'
import type { DataSource } from './data-source.js'
import type { SavedFreshness } from './freshness.js'
import { type SavedState, savedState } from './saved-state.js'

/** What a process knew of its data sources beside what is in the spool, for the next one. */
export class PipelineState {
  readonly #file: JsonFile
  readonly #found: SavedState | undefined
  readonly #freshness: ReadonlyMap<string, SavedFreshness>
  /** As it was written last: what has not changed is not written again. */
  #written = ''
  /** One after another, each as all is when its turn comes: what was changed is never overtaken by what was before it. */
  #last: Promise<unknown> = Promise.resolve()

  /** @throws ConfigError where what is on disk cannot be used */
  static async open(file: JsonFile): Promise<PipelineState> {
    return new PipelineState(file, await file.read(savedState))
  }

  private constructor(file: JsonFile, found: SavedState | undefined) {
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

  /**
   * Puts on disk how all is, or how it will be, and then has it so.
   * @param change what will be
   * @param act makes it so, at once
   * @throws NotKeptError: then nothing has changed
   */
  save(
    pipeline: IngestPipeline,
    sources: () => readonly DataSource[],
    change: (saved: SavedPipeline) => SavedPipeline = (it) => it,
    act: () => void = () => {},
  ): Promise<void> {
    const saving = this.#last.then(async () => {
      const freshness = sources().map(({ key, freshness }) => {
        // By what is on disk: a pipeline that is closed counts no rows any more.
        return [key, freshness.read(pipeline.backlogs.read(key).bytes > 0)] as const
      })
      const saved: SavedState = { pipeline: change(pipeline.snapshot()), freshness }
      const text = JSON.stringify(saved)
      if (text !== this.#written) await this.#file.write(saved)
      this.#written = text
      act()
    })
    this.#last = saving.catch(() => undefined) // told to whoever saved it
    return saving
  }
}
