import type { createClient } from '@hey-api/openapi-ts'

type Input = Extract<Parameters<typeof createClient>[0], { input: unknown }>['input']

/** Writes the SDK of a document into a folder; hey-api's runtime comes with it. */
export async function writeSdk(document: Record<string, unknown>, folder: string): Promise<void> {
  const { createClient } = await import('@hey-api/openapi-ts')
  await createClient({
    input: document as Input, // any object: hey-api looks at it itself
    output: { path: folder, clean: false, importFileExtension: '.js', tsConfigPath: null },
    logs: { level: 'silent', file: false },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  })
}
