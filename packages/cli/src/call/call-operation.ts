import { type ApiDocument, UnknownOperationError } from '@sluice/openapi'
import { type Command, CommanderError } from 'commander'
import { sinkOf } from '../output/sink.js'
import { printable, voiceOf } from '../output/voice.js'
import { UsageError } from '../usage-error.js'
import type { World } from '../world.js'
import { openDocument, UnreachableDocumentError } from './document.js'
import type { CallOptions } from './own-options.js'
import { ownCommand } from './own-options.js'

/**
 * `sluice call`: lists operations, explains one, or calls it.
 *
 * @param args what follows `call`
 * @returns the exit code (S1)
 */
export async function callOperation(program: Command, world: World, args: readonly string[]): Promise<number> {
  // Once for what names the document; its operation tells which other flags there are.
  const first = ownCommand('call').copyInheritedSettings(program).allowUnknownOption()
  const { operands } = first.parseOptions([...args])
  const options = first.opts<CallOptions>()
  const [id] = operands
  const listing = options.list !== undefined || options.tag !== undefined
  try {
    if (id === undefined && !options.help && !listing) throw new UsageError(missing(args))
    const { document, ours } = await openDocument(world, options)
    if (options.refresh) for (const note of document.notes) await voiceOf(world).note(note)
    if (id === undefined || listing) {
      const { listOperations, overview } = await import('./list.js')
      await print(world, listing ? await listOperations(document, options) : overview(document, first))
      return 0
    }
    const operation = await find(document, id, options)
    const { operationCommand } = await import('./operation-command.js')
    const { command, inputs, written } = operationCommand(program, operation, options.bodyType)
    if (options.help) {
      const { helpOf } = await import('./help.js')
      await print(world, helpOf(operation, inputs))
      return 0
    }
    parse(command, args)
    const [{ makeCall }, { saysYes }] = await Promise.all([import('./make-call.js'), import('@sluice/core/words')])
    const own = command.opts<CallOptions>()
    const noRetry = !own.retry || program.opts().retry === false || saysYes(world.env.SLUICE_NO_RETRY)
    return await makeCall(world, { ours, operation, inputs, written: written(), options: own, noRetry })
  } catch (error) {
    if (!(error instanceof UnreachableDocumentError)) throw error
    const { message } = error
    if (options.json || options.report) await voiceOf(world).json({ code: 'document', message })
    else await voiceOf(world).error(message)
    return 1
  }
}

function missing([first]: readonly string[]): string {
  const order = first?.startsWith('-') ? '; the name comes before its flags' : ''
  return `name an operation: sluice call OPERATION${order}; sluice call --list shows them all`
}

async function find(document: ApiDocument, id: string, options: CallOptions): ReturnType<ApiDocument['operation']> {
  try {
    return await document.operation(id)
  } catch (error) {
    if (!(error instanceof UnknownOperationError)) throw error
    const where =
      error.nearest.length === 0
        ? `; sluice call --list${options.openapi === undefined ? '' : ' --openapi …'} shows them`
        : ''
    throw new UsageError(`${error.message}${where}`)
  }
}

const print = (world: World, text: string): Promise<void> =>
  sinkOf(world.stdout, 'stdout', world.signal).write(printable(text))

/** commander repeats an option that it does not know with the value behind its `=`, which may be a secret. */
function parse(command: Command, args: readonly string[]): void {
  try {
    command.parse(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) error.message = error.message.replace(/('--[^'=]+)=[^']*'/, "$1'")
    throw error
  }
}
