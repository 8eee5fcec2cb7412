import type { OutputFolder } from './folder.js'
import type { Files } from './manifest.js'

/** How a file of the output folder differs from what would be generated. */
export interface FileChange {
  readonly file: string
  /** `extra`: an earlier run made it, and none is made any more. */
  readonly kind: 'missing' | 'changed' | 'extra'
  /** What is there; '' where nothing is. */
  readonly before: string
  /** What would be there. */
  readonly after: string
}

/** The differences, by file name. */
export function compare(folder: OutputFolder, files: Files): FileChange[] {
  const changes: FileChange[] = []
  for (const [file, after] of files) {
    const before = folder.known.get(file) ?? null
    if (before !== after)
      changes.push({ file, kind: before === null ? 'missing' : 'changed', before: before ?? '', after })
  }
  for (const [file, before] of folder.known)
    if (!files.has(file) && before !== null) changes.push({ file, kind: 'extra', before, after: '' })
  return changes.sort((a, b) => (a.file < b.file ? -1 : 1))
}
