import { createRequire } from 'node:module'
import { type ApiDocument, cacheFolder, DocumentCache, DocumentError, readDocument } from '@sluice/openapi'
import { documentFetch } from '../document-fetch.js'
import { UsageError } from '../usage-error.js'
import type { World } from '../world.js'
import type { CallOptions } from './own-options.js'

/** The document to call by. */
export interface Opened {
  readonly document: ApiDocument
  /** The gateway's own, whose address is ours to know. */
  readonly ours: boolean
}

/** A document that could not be fetched: nothing is wrong with the command line. */
export class UnreachableDocumentError extends Error {
  override readonly name = 'UnreachableDocumentError'
}

/** Where a gateway listens by default. */
export const GATEWAY = 'http://127.0.0.1:8787'

/**
 * Reads the document that `--openapi` or SLUICE_OPENAPI names, else the gateway's; through the cache, so that a big one
 * is read once. It is fetched without any token.
 *
 * @throws UsageError for one that is not there or broken, with line and column; UnreachableDocumentError
 */
export async function openDocument(world: World, options: CallOptions): Promise<Opened> {
  const named = options.openapi ?? (world.env.SLUICE_OPENAPI || undefined)
  const source = named ?? createRequire(import.meta.url).resolve('@sluice/spec/openapi.yaml')
  if (source === '-' && options.body === '-') throw new UsageError('--openapi and --body cannot both read stdin')
  const folder = cacheFolder(world.env)
  try {
    const document = await readDocument(source, {
      stdin: world.stdin,
      fetch: documentFetch(world),
      ...(folder !== undefined && { cache: new DocumentCache(folder) }),
      revalidate: options.refresh === true,
      signal: world.signal,
    })
    return { document, ours: named === undefined }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const isUrl = /^https?:/i.test(source) && URL.canParse(source) && !/^[^/]*\/\/[^/?#]*@/.test(source)
    // What came has a place in it that is wrong; what did not come has none.
    if (isUrl && error.line === null && error.pointer === null) throw new UnreachableDocumentError(error.message)
    throw new UsageError(`${options.openapi === undefined ? 'SLUICE_OPENAPI' : '--openapi'}: ${error.message}`)
  }
}
