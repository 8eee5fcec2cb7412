import type { JsonSchema } from './json-schema.js'
import type { RetrySettings } from './retry-settings.js'

/** Enough of an operation to list it. */
export interface OperationSummary {
  /** `operationId`, or one made of method and path where there is none or it is taken; unique in its document. */
  readonly id: string
  /** Upper case. */
  readonly method: string
  /** The template: `/v1/pipes/{name}`. */
  readonly path: string
  /** One line; '' where the document has none. */
  readonly summary: string
  readonly tags: readonly string[]
  readonly deprecated: boolean
}

/** One operation of a document, references resolved: plain JSON, so that it can be cached. */
export interface Operation extends OperationSummary {
  readonly description: string
  /** The operation's own over its path's. */
  readonly parameters: readonly Parameter[]
  readonly body: RequestBody | null
  /** Described answers by status: '200', '4XX', 'default'. */
  readonly responses: { readonly [status: string]: ResponseInfo }
  /** Alternatives, each a set of schemes that are needed together; an empty set means none is needed. */
  readonly security: readonly (readonly SecurityScheme[])[]
  /** Base URLs of this operation: its own, or its path's, or the document's. As in `ApiDocument.servers`, nobody vouches for them. */
  readonly servers: readonly string[]
  readonly retry: RetrySettings
  /** What the schemas of parameters and body refer to as `#/$defs/…`. */
  readonly defs: { readonly [name: string]: JsonSchema }
}

/** A parameter of path, query, header or cookie. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  readonly description: string
  readonly deprecated: boolean
  readonly schema: JsonSchema
  /** As OpenAPI defaults it by `in`. */
  readonly style: 'matrix' | 'label' | 'simple' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject'
  readonly explode: boolean
  readonly allowReserved: boolean
  /** The media type where the parameter is described by `content`: its value is sent serialised by it. */
  readonly contentType: string | null
}

/** The body that an operation takes. */
export interface RequestBody {
  readonly required: boolean
  readonly description: string
  /** In the document's order: the first that can carry the value is sent where the caller chooses none. */
  readonly content: readonly MediaType[]
}

/** One form of a body. */
export interface MediaType {
  readonly contentType: string
  readonly schema: JsonSchema
  /** Of a form: how single fields are written, where the document says so. */
  readonly encoding: { readonly [field: string]: FieldEncoding }
}

/** How one field of a form is written. */
export interface FieldEncoding {
  /** The media type of a multipart field; null is text, or what the value brings along. */
  readonly contentType: string | null
  /** null: arrays are repeated, objects are written as JSON. */
  readonly style: 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | null
  readonly explode: boolean
  readonly allowReserved: boolean
}

/** A described answer. */
export interface ResponseInfo {
  readonly description: string
  readonly contentTypes: readonly string[]
}

/** How a caller shows who it is. */
export type SecurityScheme =
  | { readonly type: 'http'; readonly name: string; readonly scheme: string }
  | {
      readonly type: 'apiKey'
      readonly name: string
      readonly in: 'header' | 'query' | 'cookie'
      readonly parameter: string
    }
  | { readonly type: 'oauth2' | 'openIdConnect' | 'mutualTLS'; readonly name: string }
