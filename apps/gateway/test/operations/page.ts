import { readFileSync } from 'node:fs'

/** What is carried out here. */
export const OPERATIONS_PAGE: string = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')

/** A step of a page that is carried out: a file that it shows, or a command with what it prints. */
export type PageStep =
  | { readonly kind: 'file'; readonly name: string; readonly content: string }
  | { readonly kind: 'command'; readonly command: string; readonly prints: string }

const BLOCK = /^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm

/**
 * The steps of a page, or of a part of it, in their order. A block with a name behind its language is a file of that name.
 * A `console` block is commands after `$ `, each with what it prints; `…` stands for what differs from run to run. Other
 * blocks are for reading.
 */
export function stepsOf(page: string): readonly PageStep[] {
  return [...page.matchAll(BLOCK)].flatMap(([, language, name, content = '']): readonly PageStep[] => {
    if (name !== undefined) return [{ kind: 'file', name, content }]
    return language === 'console' ? commandsOf(content) : []
  })
}

function commandsOf(block: string): readonly PageStep[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [command = '', ...prints] = text.trimEnd().split('\n')
      return { kind: 'command', command, prints: prints.join('\n') }
    })
}

/** The part of a page below a heading, up to the next of its rank or above. */
export function sectionOf(page: string, heading: string): string {
  const rank = /^#+/.exec(heading)?.[0].length ?? 0
  const from = page.indexOf(`\n${heading}\n`)
  if (from < 0) throw new Error(`The page has no heading "${heading}".`)
  const rest = page.slice(from + heading.length + 2)
  const end = rest.search(new RegExp(`^#{1,${rank}} `, 'm'))
  return end < 0 ? rest : rest.slice(0, end)
}

/** What a command prints, `…` being anything. */
export function patternOf(prints: string): RegExp {
  return new RegExp(`^${prints.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '[\\s\\S]*?')}$`)
}
