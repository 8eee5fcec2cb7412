import { refused } from '../settings.js'
import { LINE_FEED } from './lines.js'
import type { PipelineOptions } from './options.js'
import type { IngestEvent, IngestLines } from './payload.js'

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

/** @throws TypeError for what is no array of events, each a text of one line, or of lines, with the name of its partition */
export function checkEvents(events: readonly (IngestEvent | IngestLines)[]): void {
  const where = 'IngestPipeline.accept'
  if (!Array.isArray(events)) throw refused(where, 'events', events, 'an array of { partition, row }')
  for (let i = 0; i < events.length; i++) {
    const { partition, row, lines, count }: Partial<Record<keyof IngestEvent | keyof IngestLines, unknown>> =
      events[i] ?? {}
    if (row === undefined && lines instanceof Uint8Array) {
      if (!isLines(lines, count))
        throw refused(where, `events[${i}].count`, count, 'the number of its lines, none of which is empty')
    } else if (typeof row !== 'string' || row === '' || row.includes('\n'))
      throw refused(where, `events[${i}].row`, row, 'one line and not empty')
    if (typeof partition !== 'string') throw refused(where, `events[${i}].partition`, partition, 'a text')
  }
}

/** Whether there are so many, and none is empty. */
function isLines(lines: Uint8Array, count: unknown): boolean {
  let found = 0
  for (let at = 0; at <= lines.length; found++) {
    const feed = lines.indexOf(LINE_FEED, at)
    const end = feed < 0 ? lines.length : feed
    if (end === at) return false
    at = end + 1
  }
  return found === count
}

const hasAll = (value: unknown, methods: readonly string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  methods.every((name) => typeof (value as Record<string, unknown>)[name] === 'function')
