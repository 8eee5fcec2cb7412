import type { ApiDocument } from '../model/api-document.js'
import type { Operation, SecurityScheme } from '../model/operation.js'
import type { RetrySettings } from '../model/retry-settings.js'
import { readSettings } from '../settings/read-settings.js'
import { OperationIds } from './operation-ids.js'
import { Broken, child, items, kindOf, members, type Place, type RecordPlace, record, text } from './place.js'
import { readBody } from './read-body.js'
import { readParameters } from './read-parameters.js'
import { readResponses } from './read-responses.js'
import { readSchemes, readSecurity } from './read-security.js'
import { defaultServers, readServers } from './read-servers.js'
import { Reading } from './reading.js'
import { resolve } from './resolve.js'

/** A document with all of its operations worked out. */
export interface Compiled extends Omit<ApiDocument, 'operations' | 'operation'> {
  readonly operations: readonly Operation[]
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

/**
 * Checks a parsed document and works out its operations.
 *
 * @param base the URL it was read from, without query and credentials, or null
 * @throws Broken with the pointer to what is wrong
 */
export function compileDocument(parsed: unknown, base: URL | null): Compiled {
  const root = record({ value: parsed, pointer: '' }, 'an OpenAPI document')
  const openapi = versionOf(root)
  const reading = new Reading(parsed, openapi, base)
  const info = child(root, 'info')
  const about = info.value === undefined ? root : record(info, 'info')
  const servers = readServers(reading, child(root, 'servers')) ?? defaultServers(reading)
  const operations = readOperations(reading, root, servers)
  return {
    title: text(child(about, 'title')),
    version: text(child(about, 'version')),
    openapi,
    servers,
    tags: readTags(child(root, 'tags'), operations),
    operations,
    notes: [...new Set(reading.notes)],
  }
}

function versionOf(root: RecordPlace): string {
  const { openapi, swagger } = root.value
  if (typeof openapi === 'string' && /^3\.[01](\.|$)/.test(openapi)) return openapi
  if (swagger !== undefined)
    throw new Broken(
      child(root, 'swagger'),
      `this is Swagger ${String(swagger)}; convert it to OpenAPI 3 first: npx swagger2openapi DOCUMENT -o openapi.json`,
    )
  throw new Broken(
    openapi === undefined ? root : child(root, 'openapi'),
    `openapi must be '3.0.x' or '3.1.x'; got ${kindOf(openapi)}`,
  )
}

interface Shared {
  readonly servers: readonly string[]
  readonly schemes: ReadonlyMap<string, SecurityScheme>
  readonly security: readonly (readonly SecurityScheme[])[]
  readonly retry: RetrySettings
}

function readOperations(reading: Reading, root: RecordPlace, servers: readonly string[]): readonly Operation[] {
  const components = child(root, 'components')
  const schemes = readSchemes(
    reading,
    components.value === undefined ? components : child(record(components, 'components'), 'securitySchemes'),
  )
  const shared: Shared = {
    servers,
    schemes,
    security: readSecurity(reading, child(root, 'security'), schemes),
    retry: readSettings(reading, root),
  }
  const paths = child(root, 'paths')
  // 3.1 allows a document of webhooks or components alone.
  if (paths.value === undefined && child(root, 'webhooks').value === undefined && components.value === undefined)
    throw new Broken(root, 'paths must be an object: the operations by path')
  const found = members(paths, 'paths').flatMap(([path, place]) => {
    const item = pathItem(reading, place)
    return METHODS.filter((method) => child(item, method).value !== undefined).map((method) => ({
      path,
      item,
      method: method.toUpperCase(),
      at: record(child(item, method), `the operation ${method.toUpperCase()} ${path}`),
    }))
  })
  const written = found.map(({ at }) => child(at, 'operationId').value)
  const ids = new OperationIds(written.filter((id) => typeof id === 'string'))
  const seen = new Set<string>()
  return found.map(({ path, item, method, at }) => {
    const operationId = child(at, 'operationId')
    let id = text(operationId)
    if (seen.has(id))
      reading.note(operationId, `the operationId ${id} is taken: ${method} ${path} has an id of its own`)
    if (id === '' || seen.has(id)) id = ids.make(method, path)
    seen.add(id)
    return readOperation(reading, shared, { id, path, item, method, at })
  })
}

/** References resolved; a path that holds nothing has no operations. */
function pathItem({ root }: Reading, place: Place): RecordPlace {
  if (place.value === null) return { value: {}, pointer: place.pointer }
  return record(resolve(root, place), 'a path item')
}

interface Found {
  readonly id: string
  readonly path: string
  readonly item: RecordPlace
  readonly method: string
  readonly at: RecordPlace
}

function readOperation(reading: Reading, shared: Shared, { id, path, item, method, at }: Found): Operation {
  const description = text(child(at, 'description'))
  const { parameters, refs } = readParameters(reading, child(item, 'parameters'), child(at, 'parameters'), path)
  const { body, refs: bodyRefs } = readBody(reading, child(at, 'requestBody'), method)
  const security = child(at, 'security')
  return {
    id,
    method,
    path,
    summary: oneLine(text(child(at, 'summary'))) || oneLine(description),
    tags: items(child(at, 'tags'), 'tags').map(({ value }) => String(value)),
    deprecated: at.value.deprecated === true,
    description,
    parameters,
    body,
    responses: readResponses(reading.root, child(at, 'responses')),
    security: security.value === undefined ? shared.security : readSecurity(reading, security, shared.schemes),
    servers:
      readServers(reading, child(at, 'servers')) ?? readServers(reading, child(item, 'servers')) ?? shared.servers,
    // The operation's over the path's over the document's.
    retry: { ...shared.retry, ...readSettings(reading, item), ...readSettings(reading, at) },
    defs: reading.book.defs([...refs, ...bodyRefs]),
  }
}

/** The first line that says something. */
const oneLine = (markdown: string): string => markdown.trim().split('\n', 1)[0]?.replace(/\s+/g, ' ').trim() ?? ''

function readTags(place: Place, operations: readonly Operation[]): ApiDocument['tags'] {
  const declared = items(place, 'tags').flatMap((one): [string, string][] => {
    const at = record(one, 'a tag')
    const name = text(child(at, 'name'))
    return name === '' ? [] : [[name, text(child(at, 'description'))]]
  })
  const tags = new Map(declared)
  for (const tag of operations.flatMap((operation) => operation.tags)) if (!tags.has(tag)) tags.set(tag, '')
  return [...tags].map(([name, description]) => ({ name, description }))
}
