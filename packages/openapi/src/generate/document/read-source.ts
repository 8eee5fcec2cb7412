import type { RetrySettings } from '../../model/retry-settings.js'
import { record } from '../../read/place.js'
import { type DocumentIo, readWhole } from '../../read/read-document.js'
import { Reading } from '../../read/reading.js'
import { readSettings } from '../../settings/read-settings.js'
import { type Rule, rulesOf } from '../retry/plan.js'
import { basePathsOf } from './base-paths.js'
import { checkReferences } from './check-references.js'
import { filterTags } from './filter-tags.js'
import type { Raw } from './raw.js'
import { withUniqueIds } from './unique-ids.js'

/** A document that is to be generated from. */
export interface SourceFacts {
  /** What the generators see: the part that was asked for. */
  readonly raw: Raw
  readonly title: string
  readonly version: string
  readonly openapi: string
  readonly operations: number
  /** What it says of every operation's retries. */
  readonly all: RetrySettings
  readonly rules: readonly Rule[]
  readonly basePaths: readonly string[]
  readonly notes: readonly string[]
}

/**
 * Reads and checks a document, all of it, and cuts out the part that some tags make.
 * @throws DocumentError, UnknownTagError
 */
export async function readSource(
  document: string,
  tags: readonly string[] | undefined,
  io: DocumentIo,
): Promise<SourceFacts> {
  const { raw, compiled } = await readWhole(document, io, checkReferences)
  const { title, version, openapi, servers, notes } = compiled
  const root = record({ value: raw, pointer: '' }, 'an OpenAPI document')
  const all = readSettings(new Reading(raw, openapi, null), root)
  const unique = withUniqueIds(root.value, compiled.operations)
  const operations = compiled.operations.filter((one) => !tags || one.tags.some((tag) => tags.includes(tag)))
  const planned = operations.map(({ method, path, retry: settings, responses }) => {
    const types = Object.values(responses).flatMap(({ contentTypes }) => contentTypes)
    return { method, path, settings, events: types.some((type) => /^text\/event-stream\s*(;|$)/i.test(type)) }
  })
  return {
    raw: tags ? filterTags(unique, tags) : unique,
    ...{ title, version, openapi, notes, all },
    operations: operations.length,
    rules: rulesOf(all, planned),
    basePaths: basePathsOf([servers, ...operations.map((operation) => operation.servers)].flat()),
  }
}
