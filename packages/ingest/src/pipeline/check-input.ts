import { refused } from '../settings.js'
import type { PipelineOptions } from './options.js'
import type { IngestEvent } from './payload.js'

const OF_SPOOL = ['append', 'claim', 'done', 'read', 'readParts', 'records', 'backlog', 'close'] as const
const OF_NODE = ['ping', 'insert', 'hasBlock', 'activeParts'] as const

/** @throws TypeError for a spool or a node that is none, as a program without types may hand in */
export function checkParts({ spool, nodes }: PipelineOptions): void {
  const where = 'IngestPipeline.start'
  if (!hasAll(spool, OF_SPOOL)) throw refused(where, 'spool', spool, 'a Spool, or have all of its methods')
  if (!Array.isArray(nodes)) throw refused(where, 'nodes', nodes, 'an array of nodes')
  for (const [i, node] of nodes.entries()) {
    const name: unknown = node?.name
    if (typeof name !== 'string' || name === '')
      throw refused(where, `nodes[${i}].name`, name, 'a text that is not empty')
    for (const method of OF_NODE)
      if (!hasAll(node, [method])) throw refused(where, `nodes[${i}].${method}`, node[method], 'a function')
  }
}

/** @throws TypeError for what is no array of events, each a text of one line with the name of its partition */
export function checkEvents(events: readonly IngestEvent[]): void {
  const where = 'IngestPipeline.accept'
  if (!Array.isArray(events)) throw refused(where, 'events', events, 'an array of { partition, row }')
  for (let i = 0; i < events.length; i++) {
    const { partition, row }: Record<keyof IngestEvent, unknown> = events[i] ?? { partition: undefined, row: undefined }
    if (typeof row !== 'string' || row === '' || row.includes('\n'))
      throw refused(where, `events[${i}].row`, row, 'one line and not empty')
    if (typeof partition !== 'string') throw refused(where, `events[${i}].partition`, partition, 'a text')
  }
}

const hasAll = (value: unknown, methods: readonly string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  methods.every((name) => typeof (value as Record<string, unknown>)[name] === 'function')
