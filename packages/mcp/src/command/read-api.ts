import { fileURLToPath } from 'node:url'
import { createFetch } from '@sluice/fetch'
import { type ApiDocument, cacheFolder, DocumentCache, DocumentError, readDocument } from '@sluice/openapi'
import { UsageError } from '../usage-error.js'
import type { World } from '../world.js'

/**
 * Reads the document, or the gateway's where none is named.
 * @throws UsageError where it cannot be read
 */
export async function readApi(source: string | undefined, world: World): Promise<ApiDocument> {
  // Over stdio, stdin is the protocol's.
  if (source === '-') throw new UsageError('--openapi: stdin is taken by the protocol; name a file or a URL')
  const folder = cacheFolder(world.env)
  try {
    return await readDocument(source ?? fileURLToPath(import.meta.resolve('@sluice/spec/openapi.yaml')), {
      signal: world.signal,
      ...(folder === undefined ? {} : { cache: new DocumentCache(folder) }),
      fetch: createFetch({ fetch: world.fetch, clock: world.clock, random: world.random }),
    })
  } catch (error) {
    if (error instanceof DocumentError) throw new UsageError(error.message)
    throw error
  }
}
