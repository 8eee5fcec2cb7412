import { existsSync, readFileSync } from 'node:fs'
import { type Snippet, snippetsOf } from './snippets.js'

const root = new URL('../../../', import.meta.url)
const readmes = ['README.md', 'packages/core/README.md', 'packages/fetch/README.md']

/** Whose programs are run. */
export const PAGES: readonly string[] = [
  ...['docs/recipes.md', 'docs/web-ui.md'],
  ...readmes.filter((page) => existsSync(new URL(page, root))),
]

/** A program, and one of the outputs that its page tells of. */
export type Program = Snippet & Snippet['runs'][number]

/** The programs of a page that run in Node (`ts`) or in a page (`tsx`), once for each output. */
export const programsOf = (page: string, tag: Snippet['tag']): Program[] =>
  snippetsOf(readFileSync(new URL(page, root), 'utf8'), page)
    .filter((snippet) => snippet.tag === tag)
    .flatMap((snippet) => snippet.runs.map((expected) => ({ ...snippet, ...expected })))
