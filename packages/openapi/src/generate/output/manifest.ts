import { posix } from 'node:path'
import { isRecord } from '../../read/is-record.js'
import { OutputFolderError } from './output-folder-error.js'

/** The list of what was generated, beside it. What is not on it is never deleted. */
export const MANIFEST = 'sluice-generate.json'

/** Path from the output folder, with `/` → content. */
export type Files = ReadonlyMap<string, string>

/** The manifest of some files, itself included. */
export const manifestOf = (files: Iterable<string>): string =>
  `${JSON.stringify({ about: 'Files made by `sluice generate`; it deletes what it no longer makes.', files: [...files, MANIFEST].sort() }, null, 2)}\n`

/** The files that a manifest names. @throws OutputFolderError where it is none, or names files outside its folder */
export function readManifest(text: string, file: string): string[] {
  const wrong = (problem: string): OutputFolderError =>
    new OutputFolderError(`${file} ${problem}; restore it, or generate into an empty folder`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw wrong('is not JSON')
  }
  const names = isRecord(value) ? value.files : undefined
  if (!Array.isArray(names)) throw wrong('holds no list "files"')
  for (const name of names)
    if (!isInside(name)) throw wrong(`names ${JSON.stringify(name)}, which is no file of this folder`)
  return names
}

const isInside = (name: unknown): name is string =>
  typeof name === 'string' &&
  name !== '' &&
  posix.normalize(name) === name &&
  !/^(\.\.(\/|$)|\/|\.$)|[\\:\0]|\/$/.test(name)
