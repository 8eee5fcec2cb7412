import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type openapiTS from 'openapi-typescript'

type Source = Parameters<typeof openapiTS>[0]

/** Writes `schema.gen.ts`: the types of paths, operations and components. */
export async function writeTypes(document: Record<string, unknown>, folder: string): Promise<void> {
  const { astToString, COMMENT_HEADER, default: generate } = await import('openapi-typescript')
  const nodes = await generate(document as unknown as Source, { silent: true }) // any object: it looks at it itself
  await writeFile(join(folder, 'schema.gen.ts'), COMMENT_HEADER + astToString(nodes))
}
