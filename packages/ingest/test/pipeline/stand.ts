import { VirtualClock } from '@sluice/core/testing'
import { type Accepted, type IngestEvent, IngestPipeline, type PipelineOptions } from '@sluice/ingest'
import { type Disk, emptyDisk, MemorySpool } from './memory-spool.js'
import { reached, ScriptedNode } from './scripted-node.js'

/** A pipeline in virtual time, on nodes that do as they are told. */
export interface Stand {
  readonly clock: VirtualClock
  readonly nodes: ScriptedNode[]
  /** The first of them, and the second. */
  readonly one: ScriptedNode
  readonly two: ScriptedNode
  readonly disk: Disk
  spool: MemorySpool
  pipeline: IngestPipeline
  readonly errors: string[]
  /** Rows of one partition, `p` unless told otherwise. */
  send(source: string, rows: readonly string[], partition?: string): Promise<Accepted>
  /** As after a crash: another pipeline from what is on disk. */
  restart(options?: Partial<PipelineOptions>): Promise<void>
}

export async function stand(names: readonly string[] = ['n1'], options: Partial<PipelineOptions> = {}): Promise<Stand> {
  const clock = new VirtualClock()
  const nodes = names.map((name) => new ScriptedNode(name, clock))
  const [one = new ScriptedNode('', clock), two = one] = nodes
  const disk = emptyDisk()
  const errors: string[] = []
  let blocks = 0
  const begin = (spool: MemorySpool, more: Partial<PipelineOptions>): Promise<IngestPipeline> => {
    const isGone = (): boolean => spool.isGone
    return clock.run(
      IngestPipeline.start({
        ...{
          spool,
          nodes: nodes.map((node) => reached(node, isGone)),
          clock,
          newId: () => `b${++blocks}`,
          random: () => 0.5,
        },
        onError: (what, error) => void errors.push(`${what}: ${error}`),
        ...options,
        ...more,
      }),
    )
  }
  const spool = new MemorySpool(clock, disk)
  const it: Stand = {
    ...{ clock, nodes, one, two, disk, errors, spool, pipeline: await begin(spool, {}) },
    async send(source, rows, partition = 'p') {
      const events: IngestEvent[] = rows.map((row) => ({ partition, row }))
      const verdict = await it.pipeline.accept(source, events)
      if (verdict.status !== 202) throw new Error(`refused: ${verdict.reason}`)
      return verdict
    },
    async restart(more = {}) {
      it.spool.isGone = true // the process that was there reaches nothing more
      it.spool = new MemorySpool(clock, disk)
      it.pipeline = await begin(it.spool, more)
    },
  }
  return it
}

export const named = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`)
