import type { z } from 'zod'
import { type Namespace, sourceKey } from '../ingest/source-key.js'
import { JsonFolder } from './json-folder.js'

/** What a definition is called. */
export interface DefinitionName extends Namespace {
  readonly name: string
}

/** Definitions on disk. */
export class DefinitionFolder<Kept extends DefinitionName> extends JsonFolder<DefinitionName, Kept> {
  /** @param schema the form that each has */
  constructor(folder: string, schema: z.ZodType<Kept>) {
    super({
      ...{ folder, schema, members: 'tenant, dataset and name' },
      keyOf: (it) => sourceKey(it, it.name),
      earlier: 'all definitions; take it away, and define them again through the API',
    })
  }
}
