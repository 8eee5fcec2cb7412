import type { Command } from 'commander'
import { Document, isScalar, type Pair, type Scalar } from 'yaml'
import type { LoadedConfig } from './load-config.js'
import { settingsOf, sourceOf } from './settings.js'

const MASK = '***'

/** What holds, as a file of settings would have it, and where each setting is from. No secret is in it, nor a hash. */
export function printedConfig(command: Command, { options, fresh }: LoadedConfig): string {
  const flags = command.opts<Record<string, unknown>>()
  const settings = settingsOf(command).filter((it) => it.attributeName() !== 'tokens')
  const document = new Document({
    ...Object.fromEntries(settings.map((it) => [it.attributeName(), flags[it.attributeName()] ?? null])),
    nodes: (options.nodes ?? []).map(({ password, ...node }) => ({ ...node, ...(password && { password: MASK }) })),
    plans: options.plans,
    tokens: options.tokens.map(({ token: _, hash: __, ...it }) => ({ ...it, hash: MASK })),
  })
  for (const option of settings) note(document, option.attributeName(), sourceOf(command, option))
  if (fresh !== undefined) note(document, 'tokens', 'made up for one run, as there are none')
  return document.toString({ flowCollectionPadding: true, lineWidth: 0 })
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
