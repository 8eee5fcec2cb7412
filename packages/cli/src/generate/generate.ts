import { DocumentError } from '@sluice/openapi'
import {
  diffOf,
  GeneratorError,
  generate as generateFiles,
  OutputFolderError,
  UnknownTagError,
} from '@sluice/openapi/generate'
import { documentFetch } from '../document-fetch.js'
import { sinkOf } from '../output/sink.js'
import { voiceOf } from '../output/voice.js'
import { UsageError } from '../usage-error.js'
import type { World } from '../world.js'
import type { GenerateOptions } from './command.js'

/**
 * `sluice generate`.
 * @returns 0, or 1 where the output is stale or could not be made
 * @throws UsageError where the document, a tag or the folder is at fault
 */
export async function generate(world: World, document: string, options: GenerateOptions): Promise<number> {
  const { output, tags, check = false, typesOnly, force } = options
  const voice = voiceOf(world)
  if (tags?.length === 0) throw new UsageError('--tags: name at least one tag')
  try {
    const result = await generateFiles({
      ...{ document, output, tags, check, typesOnly, force },
      io: {
        stdin: world.stdin,
        signal: world.signal,
        progress: (line) => voice.note(line),
        fetch: documentFetch(world),
      },
    })
    const stderr = sinkOf(world.stderr, 'stderr', world.signal)
    for (const note of result.notes) await stderr.write(`Note: ${note}\n`)
    const { changes, files, operations } = result
    if (check && changes.length > 0) {
      await sinkOf(world.stdout, 'stdout', world.signal).write(diffOf(changes))
      await voice.error(
        `${output} is stale: ${counted(changes.length)} would change; run the same command without --check`,
      )
      return 1
    }
    await voice.note(check ? `${output} is fresh` : `${operations} operations, ${counted(files.length)} in ${output}`)
    return 0
  } catch (error) {
    if (error instanceof DocumentError || error instanceof OutputFolderError) throw new UsageError(error.message)
    if (error instanceof UnknownTagError) throw new UsageError(`--tags: ${error.message}`)
    if (!(error instanceof GeneratorError)) throw error
    await voice.error(error.message)
    return 1
  }
}

const counted = (files: number): string => `${files} file${files === 1 ? '' : 's'}`
