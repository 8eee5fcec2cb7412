import { stat } from 'node:fs/promises'
import { resolve as absolutePath } from 'node:path'
import type { CachedDocument, CacheKey, DocumentCache } from '../cache/document-cache.js'
import { DocumentError } from '../errors/document-error.js'
import type { ApiDocument } from '../model/api-document.js'
import type { Operation, OperationSummary } from '../model/operation.js'
import { type FetchedText, fetchText, type Validators } from '../source/fetch-text.js'
import { isUrl, publicName } from '../source/public-name.js'
import { readPathText, readStdin, unreadable } from '../source/read-text.js'
import type { Compiled } from './compile-document.js'
import { findOperation } from './find-operation.js'
import type { WorkedOut } from './work-out.js'

/** What reading a document touches. */
export interface DocumentIo {
  /** For `-`: the document, UTF-8. There is no default. */
  readonly stdin?: AsyncIterable<string | Uint8Array>
  /** For a URL; default the platform's. Redirects are followed by the reader. */
  readonly fetch?: typeof globalThis.fetch
  /** Sent to the URL, and to no other origin; never cached. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default Node's. */
  readonly readFile?: (path: string) => Promise<string | Uint8Array>
  /** For the cache to see a change of a file; default Node's. */
  readonly stat?: (path: string) => Promise<{ readonly mtimeMs: number; readonly size: number }>
  /** Keeps what was read; default none. Not for stdin. */
  readonly cache?: DocumentCache
  /** Whether a URL is asked if the cached copy still holds; default true. */
  readonly revalidate?: boolean
  readonly signal?: AbortSignal
}

/**
 * Reads an OpenAPI 3.0 or 3.1 document, JSON or YAML, and checks it.
 *
 * @param source the path of a file, an http(s) URL, or `-` for stdin
 * @throws DocumentError that names the source, line and column, and what is expected there; `signal.reason` on abort
 */
export async function readDocument(source: string, io: DocumentIo = {}): Promise<ApiDocument> {
  io.signal?.throwIfAborted()
  if (source === '-') return inMemory(await compile(source, await readStdin(io.stdin)))
  return isUrl(source) ? readUrl(source, io) : readPath(source, io)
}

async function readPath(path: string, io: DocumentIo): Promise<ApiDocument> {
  const { cache } = io
  const read = async (): Promise<Compiled> => compile(path, await readPathText(path, io.readFile))
  if (cache === undefined) return inMemory(await read())
  // Before it is read: a file that changes meanwhile is read again next time.
  const { mtimeMs, size } = await (io.stat ?? stat)(path).catch((cause) => unreadable(path, cause))
  const key: CacheKey = { source: absolutePath(path), stamp: { mtimeMs, size } }
  const load = async (): Promise<Compiled> => keep(cache, key, await read())
  const cached = await cache.open(key.source)
  if (cached?.stamp.mtimeMs === mtimeMs && cached.stamp.size === size) return fromCache(cached, load)
  return inMemory(await load())
}

async function readUrl(url: string, io: DocumentIo): Promise<ApiDocument> {
  const { cache, signal, headers = {}, fetch = globalThis.fetch } = io
  const ask = (known: Validators | null): Promise<FetchedText> => fetchText(url, { fetch, headers, signal }, known)
  if (cache === undefined) return inMemory(await compile(url, demand(url, await ask(null)).text))

  const load = async ({ text, validators }: Answer, hash: string): Promise<Compiled> =>
    keep(cache, { source: url, stamp: { ...validators, hash } }, await compile(url, text))
  const again = async (): Promise<Compiled> => {
    const answer = demand(url, await ask(null))
    return load(answer, await hashOf(answer.text))
  }
  const cached = await cache.open(url)
  if (cached === null) return inMemory(await again())
  if (io.revalidate === false) return fromCache(cached, again)
  const { etag = null, lastModified = null } = cached.stamp
  const answer = await ask({ etag, lastModified })
  if (answer.kind === 'same') return fromCache(cached, again)
  if (answer.kind === 'unreachable')
    return fromCache(cached, again, [`${answer.error.message}; a copy from the cache is used.`])
  const hash = await hashOf(answer.text)
  // A server that sends no validators: downloaded again, but not worked out again.
  return hash === cached.stamp.hash ? fromCache(cached, again) : inMemory(await load(answer, hash))
}

type Answer = Extract<FetchedText, { kind: 'text' }>

function demand(url: string, answer: FetchedText): Answer {
  if (answer.kind === 'text') return answer
  throw answer.kind === 'unreachable' ? answer.error : new DocumentError('answered 304', { source: publicName(url) })
}

async function hashOf(text: string): Promise<string> {
  const { createHash } = await import('node:crypto')
  return createHash('sha256').update(text).digest('hex')
}

/** A cache that cannot be written slows us down and stops nobody. */
async function keep(cache: DocumentCache, key: CacheKey, compiled: Compiled): Promise<Compiled> {
  try {
    await cache.write(key, compiled)
    return compiled
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message
    return { ...compiled, notes: [...compiled.notes, `The cache ${cache.folder} cannot be written: ${reason}.`] }
  }
}

/** What works a document out is loaded here: where the cache has it, nobody waits for that. */
async function compile(source: string, text: string): Promise<Compiled> {
  const { workOut } = await import('./work-out.js')
  return (await workOut(publicName(source), text, isUrl(source))).compiled
}

/**
 * A document as it was written beside what was worked out of it; never from the cache.
 * @param check looks at all of it, and throws Broken
 * @throws as `readDocument` does
 */
export async function readWhole(source: string, io: DocumentIo, check: (root: unknown) => void): Promise<WorkedOut> {
  io.signal?.throwIfAborted()
  const { workOut } = await import('./work-out.js')
  return workOut(publicName(source), await textOf(source, io), isUrl(source), check)
}

async function textOf(source: string, io: DocumentIo): Promise<string> {
  if (source === '-') return readStdin(io.stdin)
  if (!isUrl(source)) return readPathText(source, io.readFile)
  const { signal, headers = {}, fetch = globalThis.fetch } = io
  return demand(source, await fetchText(source, { fetch, headers, signal }, null)).text
}

function inMemory(compiled: Compiled): ApiDocument {
  const ids = compiled.operations.map(({ id }) => id)
  return documentOf(compiled, compiled.operations.map(summaryOf), async (id) => {
    // findOperation gives a place in the list.
    return compiled.operations[findOperation(ids, id)] as Operation
  })
}

function fromCache(
  cached: CachedDocument,
  reload: () => Promise<Compiled>,
  notes: readonly string[] = [],
): ApiDocument {
  const { about, operations } = cached
  const ids = operations.map(({ id }) => id)
  let reloaded: Promise<Compiled> | undefined
  return documentOf({ ...about, notes: [...about.notes, ...notes] }, operations, async (id) => {
    const operation = await cached.operation(findOperation(ids, id))
    if (operation !== null) return operation
    // Damaged, or replaced since by another process: the source has the last word.
    reloaded ??= reload().catch((error) => {
      reloaded = undefined // who asks next asks it again
      throw error
    })
    return inMemory(await reloaded).operation(id)
  })
}

function documentOf(
  { title, version, openapi, servers, tags, notes }: Omit<ApiDocument, 'operations' | 'operation'>,
  operations: readonly OperationSummary[],
  operation: ApiDocument['operation'],
): ApiDocument {
  return { title, version, openapi, servers, tags, notes, operations, operation }
}

const summaryOf = ({ id, method, path, summary, tags, deprecated }: OperationSummary): OperationSummary => ({
  id,
  method,
  path,
  summary,
  tags,
  deprecated,
})
