import { readFileSync } from 'node:fs'

let known: string | undefined

/** This package's version. */
export function version(): string {
  known ??= String(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version)
  return known
}
