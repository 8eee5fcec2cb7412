import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SavedPipeline } from '@sluice/ingest'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { DataSource } from '../../src/ingest/data-source.js'
import { definitionSchema } from '../../src/ingest/definition.js'
import { Freshness } from '../../src/ingest/freshness.js'
import { type KnownState, PipelineState } from '../../src/ingest/pipeline-state.js'
import { fileNameOf } from '../../src/state/line-log.js'
import { NotKeptError } from '../../src/state/not-kept-error.js'

const root = mkdtempSync(join(tmpdir(), 'sluice-pipeline-'))
const folder = () => join(mkdtempSync(join(root, 'f-')), 'pipeline')
afterAll(() => rmSync(root, { recursive: true }))

const definition = definitionSchema.parse({ columns: [{ name: 'id', type: 'UInt32' }] })
const sourceOf = (tenant: string, name: string) =>
  new DataSource({ tenant, dataset: 'default' }, name, definition, 0, new Freshness(), () => 0)

/** Data sources with what a pipeline knows of them: what is paused can be changed. */
class Known {
  paused: string[] = []

  constructor(readonly sources: readonly DataSource[]) {}

  get state(): KnownState {
    const snapshot = (isWanted: (key: string) => boolean = () => true): SavedPipeline => ({
      ...{ guard: { breaker: [], limits: [] }, paused: this.paused.filter(isWanted) },
      routes: this.sources.flatMap(({ key }) => (isWanted(key) ? [[key, 'ch-1']] : [])),
    })
    const read = () => ({ bytes: 0 })
    // A pipeline as far as one is looked at here.
    return { pipeline: { snapshot, backlogs: { read } } as unknown as KnownState['pipeline'], sources: this.sources }
  }

  /** As an owner does it. */
  pause(state: PipelineState, source: DataSource): Promise<void> {
    const change = (it: SavedPipeline) => ({ ...it, paused: [...it.paused, source.key] })
    return state.save(
      source.namespace.tenant,
      () => this.state,
      change,
      () => this.paused.push(source.key),
    )
  }
}

const pathOf = (path: string, tenant: string) => `${fileNameOf(path, tenant)}.json`
const kept = (path: string, tenant: string) => JSON.parse(readFileSync(pathOf(path, tenant), 'utf8'))

describe('what is known of data sources beside the spool', () => {
  const [clicks, views, others] = [sourceOf('acme', 'clicks'), sourceOf('acme', 'views'), sourceOf('globex', 'clicks')]

  it('is in a file for each tenant: what one of them changes is written there, and nowhere else', async () => {
    const path = folder()
    const state = await PipelineState.open(path)
    const known = new Known([clicks, views, others])
    clicks.freshness.accepted(7)
    await known.pause(state, views)
    expect([readdirSync(path).length, known.paused]).toEqual([1, [views.key]])
    expect(kept(path, 'acme')).toEqual({
      tenant: 'acme',
      pipeline: {
        ...{ guard: { breaker: [], limits: [] }, paused: ['acme/default/views'] },
        routes: [
          ['acme/default/clicks', 'ch-1'],
          ['acme/default/views', 'ch-1'],
        ],
      },
      freshness: [
        ['acme/default/clicks', { newestMs: 7, writtenMs: 7 }],
        ['acme/default/views', { newestMs: null, writtenMs: null }],
      ],
    })
    await state.saveAll(known.state)
    expect(kept(path, 'globex').pipeline.routes).toEqual([['globex/default/clicks', 'ch-1']])
    const found = await PipelineState.open(path)
    expect(found.pipeline.paused).toEqual(['acme/default/views'])
    expect(found.pipeline.routes.map(([key]) => key).sort()).toEqual([clicks.key, views.key, others.key])
    expect([found.freshnessOf(clicks.key), found.freshnessOf('acme/default/none')]).toEqual([
      { newestMs: 7, writtenMs: 7 },
      undefined,
    ])
  })

  it('is not written again where it has not changed, also by the next process', async () => {
    const path = folder()
    const known = new Known([clicks, others])
    await (await PipelineState.open(path)).saveAll(known.state)
    const again = await PipelineState.open(path)
    for (const tenant of ['acme', 'globex']) rmSync(pathOf(path, tenant))
    await again.saveAll(known.state)
    expect(readdirSync(path)).toEqual([])
    await known.pause(again, clicks)
    expect(readdirSync(path)).toHaveLength(1)
  })

  it('is as its owner last had it, whatever a round that began before comes to write', async () => {
    const path = folder()
    const state = await PipelineState.open(path)
    const sources = Array.from({ length: 50 }, (_, i) => sourceOf(`tenant-${i}`, 'clicks'))
    const known = new Known(sources)
    const round = state.saveAll(known.state) // of which most have not had their turn yet
    await Promise.all(sources.map((it) => known.pause(state, it)))
    await round
    expect(sources.map(({ namespace: { tenant } }) => kept(path, tenant).pipeline.paused.length)).toEqual(
      sources.map(() => 1),
    )
  })

  it('of one tenant that cannot be written keeps none of the others from it', async () => {
    const path = folder()
    const state = await PipelineState.open(path)
    const known = new Known([clicks, others])
    mkdirSync(`${pathOf(path, 'acme')}.new`) // where what is written has its place first
    await expect(state.saveAll(known.state)).rejects.toBeInstanceOf(NotKeptError)
    await expect(known.pause(state, clicks)).rejects.toBeInstanceOf(NotKeptError)
    expect([known.paused, kept(path, 'globex').tenant]).toEqual([[], 'globex'])
  })

  it('is refused where it is not in the file of its tenant, or as an earlier version had it', async () => {
    const path = folder()
    await (await PipelineState.open(path)).saveAll(new Known([clicks]).state)
    const own = pathOf(path, 'acme')
    renameSync(own, join(path, 'acme.json'))
    await expect(PipelineState.open(path)).rejects.toThrow(
      `${join(path, 'acme.json')}: tenant is that of acme, whose file is ${own.slice(path.length + 1)}; give it that name, or take it away`,
    )
    writeFileSync(`${path}.json`, '{}')
    await expect(PipelineState.open(path)).rejects.toThrow(
      `${path}.json: (the file) is how an earlier version kept this of all tenants; take it away, and pause and route again through the API`,
    )
    expect(existsSync(`${path}.json`)).toBe(true)
  })

  it('what is answered as not kept is taken back, though it came to be on disk', async () => {
    const path = folder()
    const source = sourceOf('acme', 'clicks')
    const known = new Known([source])
    const state = await PipelineState.open(path)
    await state.save('acme', () => known.state)
    const handle = await open(root, 'r')
    await handle.close()
    const of = Object.getPrototypeOf(handle) as FileHandle
    const { sync } = of
    const failing = vi.spyOn(of, 'sync').mockImplementation(async function (this: FileHandle) {
      if ((await this.stat()).isDirectory()) throw new Error('EIO') // behind the rename
      return sync.call(this)
    })
    const pausing = state.save(
      'acme',
      () => known.state,
      (saved) => ({ ...saved, paused: [source.key] }),
      () => known.paused.push(source.key),
    )
    await expect(pausing).rejects.toThrow(NotKeptError)
    failing.mockRestore()
    expect((await PipelineState.open(path)).pipeline.paused).toEqual([source.key])
    await state.saveAll(known.state)
    expect((await PipelineState.open(path)).pipeline.paused).toEqual([])
  })
})
