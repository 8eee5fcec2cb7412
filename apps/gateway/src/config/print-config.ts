import type { Command } from 'commander'
import { Document, isScalar, type Pair, type Scalar } from 'yaml'
import type { CheckedOptions } from '../gateway-options.js'
import { withoutUser } from '../option-values.js'
import type { LoadedConfig } from './load-config.js'
import { fieldOf } from './setting-fields.js'
import { settingsOf, sourceOf } from './settings.js'

/** In the place of a secret. It is none itself: a file that has it is refused. */
export const MASK = '***'

/**
 * What holds, as a file of settings has it, and where each setting is from. No secret is in it, nor a hash.
 * @param checked what a gateway would start with
 */
export function printedConfig(command: Command, { flags, fresh }: LoadedConfig, checked: CheckedOptions): string {
  const settings = settingsOf(command).filter((it) => it.attributeName() !== 'tokens')
  const { plans, tokens } = checked.tokens
  const { limit, expectedP90Ms } = checked.limit
  const holds = { quiet: flags.quiet ?? false, ...checked, plans, limit: { ...limit, expectedP90Ms } }
  const document = new Document({
    ...Object.fromEntries(settings.map((it) => [it.attributeName(), at(holds, fieldOf(it)) ?? null])),
    nodes: checked.nodes.map(({ password, ...node }) => {
      return { ...node, url: withoutUser(node.url), ...(password && { password: MASK }) }
    }),
    plans,
    tokens: flags.tokens ?? (fresh === undefined ? tokens.map(masked) : null),
  })
  for (const option of settingsOf(command)) note(document, option.attributeName(), sourceOf(command, option))
  if (fresh !== undefined) note(document, 'tokens', 'none; one is made up for each run')
  return document.toString({ flowCollectionPadding: true, lineWidth: 0 })
}

const masked = ({ token: _, hash: __, ...it }: CheckedOptions['tokens']['tokens'][number]) => ({ ...it, hash: MASK })

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((it, step) => Reflect.get(Object(it), step), value)
}

/** Behind the value; of what is longer than a line, before it. */
function note(document: Document, name: string, text: string): void {
  const value = document.get(name, true)
  if (isScalar(value)) value.comment = ` ${text}`
  else {
    const pairs = (document.contents as unknown as { items: Pair<Scalar, unknown>[] }).items // a map of settings
    const pair = pairs.find(({ key }) => key.value === name)
    if (pair) pair.key.commentBefore = ` ${text}`
  }
}
