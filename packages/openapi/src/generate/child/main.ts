import { readFile, writeFile } from 'node:fs/promises'
import { writeSdk } from './write-sdk.js'
import { writeTypes } from './write-types.js'

// A process of its own: the generators print, read settings from the working folder and keep a core busy for a minute.
const [part, documentFile = '', target = '', errorFile = ''] = process.argv.slice(2)
try {
  const document = JSON.parse(await readFile(documentFile, 'utf8'))
  await (part === 'sdk' ? writeSdk : writeTypes)(document, target)
} catch (error) {
  await writeFile(errorFile, messageOf(error))
  process.exitCode = 1
}

/** hey-api wraps what happened in errors without a message. */
function messageOf(error: unknown): string {
  const { message, originalError, error: inner, cause } = Object(error)
  for (const wrapped of [originalError?.error, originalError, inner, cause])
    if (wrapped instanceof Error) return messageOf(wrapped)
  return String(message || error)
}
