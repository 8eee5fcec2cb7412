import type { Operation } from '@sluice/openapi'
import { type Command, Option } from 'commander'
import type { Written } from './given.js'
import { type Input, inputsOf, isSwitch } from './inputs.js'
import { ownCommand } from './own-options.js'

/** A flag of an input. Its values are kept apart from those of our own options, whatever it is called. */
class InputOption extends Option {
  readonly #key: string

  constructor(flags: string, key: string) {
    super(flags)
    this.#key = key
  }

  override attributeName(): string {
    return this.#key
  }
}

/** The command of one operation: our own options, and a flag for each of its inputs. */
export function operationCommand(
  program: Command,
  operation: Operation,
  bodyType: string | undefined,
): { readonly command: Command; readonly inputs: readonly Input[]; written(): Written } {
  const command = ownCommand('call')
    .copyInheritedSettings(program)
    .argument('<operation>')
    .action(() => {})
  const own = command.options.flatMap(({ long }) => long ?? [])
  const inputs = inputsOf(operation, own, bodyType)
  inputs.forEach((input, index) => {
    if (input.flag === null) return
    const key = `input ${index}`
    const gather = (text: string, texts: readonly string[] = []): string[] => [...texts, text]
    if (isSwitch(input)) {
      command.addOption(new InputOption(input.flag, key))
      command.addOption(new InputOption(input.flag.replace('--', '--no-'), key))
    } else command.addOption(new InputOption(`${input.flag} <value>`, key).argParser(gather))
  })
  const written = (): Written => {
    const given = command.opts<Record<string, readonly string[] | boolean | undefined>>()
    return new Map(
      inputs.flatMap((input, index) => {
        const value = given[`input ${index}`]
        return value === undefined ? [] : [[input, typeof value === 'boolean' ? [String(value)] : value] as const]
      }),
    )
  }
  return { command, inputs, written }
}
