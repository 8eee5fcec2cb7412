/** A JSON Schema (draft 2020-12) as plain data. A document in OpenAPI 3.0 is translated: `nullable`, `exclusiveMinimum: true` and `example` do not occur here. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown }
