import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const REPORT = new URL('../../.report/', import.meta.url).pathname

/** A folder for generated files, within this package so that they find its dependencies; gone when the tests are done. */
export function workshop(): string {
  mkdirSync(REPORT, { recursive: true })
  const folder = mkdtempSync(join(REPORT, 'generated-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
