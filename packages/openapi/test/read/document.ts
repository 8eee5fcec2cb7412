import { Readable } from 'node:stream'
import { type ApiDocument, type Operation, readDocument } from '../../src/index.js'

/** Reads a document that a test writes, as text or as what JSON would make of it. */
export const read = (document: string | object): Promise<ApiDocument> =>
  readDocument('-', { stdin: Readable.from([typeof document === 'string' ? document : JSON.stringify(document)]) })

/** A document with these paths. */
export const withPaths = (paths: object, rest: object = {}): object => ({
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  paths,
  ...rest,
})

/** The only operation of a document: `GET /things`, or as said. */
export async function operationOf(
  operation: object,
  path = '/things',
  method = 'get',
  rest: object = {},
): Promise<Operation> {
  const document = await read(withPaths({ [path]: { [method]: { operationId: 'it', ...operation } } }, rest))
  return document.operation('it')
}
