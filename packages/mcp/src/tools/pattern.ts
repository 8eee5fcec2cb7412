import type { OperationSummary } from '@sluice/openapi'

/** Whether an operation is meant. */
export type Pattern = (operation: OperationSummary, toolName: string) => boolean

/**
 * `tag:NAME` is held against an operation's tags, anything else against its id and its tool's name. `*` stands for any
 * characters, `?` for one.
 */
export function patternOf(text: string): Pattern {
  const tag = /^tag:(.*)$/s.exec(text)?.[1]
  const glob = globOf(tag ?? text)
  return tag === undefined
    ? ({ id }, name) => glob.test(id) || glob.test(name)
    : ({ tags }) => tags.some((one) => glob.test(one))
}

const globOf = (text: string): RegExp => {
  const source = text
    .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.')
  return new RegExp(`^${source}$`, 'is')
}
