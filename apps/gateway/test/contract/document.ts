import { readFileSync } from 'node:fs'
import { openapi } from '@sluice/spec'
import { parse } from 'yaml'

/** A JSON Schema as plain data. */
export type Schema = Readonly<Record<string, unknown>>

/** What carries an example, or several by name. */
export interface Exemplified {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

export interface Header extends Exemplified {
  readonly description?: string
  readonly required?: boolean
}

export interface Answer {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Readonly<Record<string, Exemplified>>
}

export interface Parameter extends Exemplified {
  readonly name: string
  readonly in: string
  readonly description?: string
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Exemplified>> }
  readonly responses: Readonly<Record<string, Answer>>
  readonly security?: readonly unknown[]
  readonly 'x-sluice-retry'?: unknown
}

export interface PathItem {
  readonly parameters?: readonly Parameter[]
  readonly get?: Operation
  readonly put?: Operation
  readonly post?: Operation
  readonly delete?: Operation
}

export interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly responses: Readonly<Record<string, Answer>>
    readonly schemas: Readonly<Record<string, Schema>>
  }
  readonly 'x-sluice-retry': unknown
}

/** One operation with its place; parameters are its own and its path's. */
export interface Placed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  readonly parameters: readonly Parameter[]
}

const METHODS = ['get', 'put', 'post', 'delete'] as const

const written: unknown = parse(readFileSync(openapi, 'utf8'))

/** The gateway's description, every reference replaced by what it points to (none is circular). */
export const document: Document = dereferenced(written) as Document // its form is the linter's business

/** All operations, in the document's order. */
export const operations: readonly Placed[] = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const operation = item[method]
    if (operation === undefined) return []
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
    return [{ method: method.toUpperCase(), path, operation, parameters }]
  }),
)

function dereferenced(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(dereferenced)
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...rest } = node as Record<string, unknown> // an object of YAML
  const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, dereferenced(value)]))
  return typeof $ref === 'string' ? Object.assign({}, dereferenced(pointed($ref)), plain) : plain
}

function pointed(reference: string): unknown {
  let node = written
  for (const step of reference.slice(2).split('/')) node = (node as Record<string, unknown>)[step] // so far an object
  if (node === undefined) throw new Error(`${reference} points to nothing`)
  return node
}
