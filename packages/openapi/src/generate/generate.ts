import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DocumentIo } from '../read/read-document.js'
import { runGenerators } from './child/run.js'
import { closedReferences } from './document/closed-references.js'
import { readSource } from './document/read-source.js'
import { assemble } from './output/assemble.js'
import { compare, type FileChange } from './output/compare.js'
import { lookAt, refuseForeign, writeTo } from './output/folder.js'

/** What `generate()` is told. */
export interface GenerateOptions {
  /** A file, an http(s) URL, or `-` for stdin. */
  readonly document: string
  /** The folder for the files. It is made where there is none. */
  readonly output: string
  /** Only the operations that carry one of these tags, and what they need. Default: all. */
  readonly tags?: readonly string[] | undefined
  /** Writes nothing, and tells what would change. Default false. */
  readonly check?: boolean | undefined
  /** Types and the fetch alone, for openapi-fetch; no SDK. Default false. */
  readonly typesOnly?: boolean | undefined
  /** Writes into a folder that holds files of somebody else, and replaces those of the same name. Default false. */
  readonly force?: boolean | undefined
  readonly io?: GenerateIo | undefined
}

/** What is handed in from outside. */
export interface GenerateIo extends DocumentIo {
  /** Told what is being done, a short line each. */
  readonly progress?: ((line: string) => void) | undefined
}

/** What was generated. */
export interface GenerateResult {
  /** Operations of the output. */
  readonly operations: number
  /** All files of the output, relative to its folder, in order. */
  readonly files: readonly string[]
  /** What differed, by file; with `check` it still does. */
  readonly changes: readonly FileChange[]
  /** What was read otherwise than written, such as retry settings that could not be carried over; a sentence each. */
  readonly notes: readonly string[]
}

/**
 * Generates a typed client that backs off from an OpenAPI 3.0 or 3.1 document. The same document gives the same bytes.
 *
 * @throws DocumentError where the document cannot be read, with line and column
 * @throws UnknownTagError
 * @throws GeneratorError where a generator refuses the document
 * @throws OutputFolderError where the folder holds what must not be touched; nothing was written
 * @throws the reason of `io.signal`
 */
export async function generate(options: GenerateOptions): Promise<GenerateResult> {
  const { document, output, tags, check = false, typesOnly = false, force = false, io = {} } = options
  const { progress = () => {}, signal } = io
  const folder = await lookAt(output)
  if (!check && !force) refuseForeign(folder) // before a minute of work
  progress(`reading ${document === '-' ? 'stdin' : 'the document'}`)
  const { raw, ...facts } = await readSource(document, tags, io)
  const workingFolder = await mkdtemp(join(tmpdir(), 'sluice-generate-'))
  try {
    const documentFile = join(workingFolder, 'document.json')
    const target = join(workingFolder, 'output')
    await mkdir(target)
    await writeFile(documentFile, JSON.stringify(raw, closedReferences(raw)))
    progress(`generating ${facts.operations} operations`)
    await runGenerators(typesOnly ? ['types'] : ['types', 'sdk'], { documentFile, target, workingFolder, signal })
    const files = await assemble(target, { ...facts, sdk: !typesOnly, tags: tags ?? null })
    const changes = compare(folder, files)
    if (!check) await writeTo(folder, files, force)
    return { operations: facts.operations, files: [...files.keys()], changes, notes: facts.notes }
  } finally {
    await rm(workingFolder, { recursive: true, force: true })
  }
}
