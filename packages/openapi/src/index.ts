// Read.

export { cacheFolder } from './cache/cache-folder.js'
export { DocumentCache } from './cache/document-cache.js'
// What goes wrong.
export { ArgumentError } from './errors/argument-error.js'
export { CredentialError } from './errors/credential-error.js'
export { DocumentError } from './errors/document-error.js'
export { UnknownOperationError } from './errors/unknown-operation-error.js'
// What a document is.
export type { ApiDocument } from './model/api-document.js'
export type { JsonSchema } from './model/json-schema.js'
export type {
  FieldEncoding,
  MediaType,
  Operation,
  OperationSummary,
  Parameter,
  RequestBody,
  ResponseInfo,
  SecurityScheme,
} from './model/operation.js'
export type { RetrySettings } from './model/retry-settings.js'
export { type DocumentIo, readDocument } from './read/read-document.js'
// Call.
export { type Argument, argumentsOf } from './request/argument-names.js'
export { checkArguments } from './request/check-arguments.js'
export { addPlaced, isToken, type Placed, placeToken } from './request/credentials.js'
export { inputSchema } from './request/input-schema.js'
export { redact } from './request/redact.js'
export { type ApiRequest, type RequestOptions, requestOf } from './request/request-of.js'
