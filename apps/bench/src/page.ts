const [START, END] = ['<!-- bench:start -->', '<!-- bench:end -->']

/** One suite's part of the page. */
export interface Section {
  /** The suite's name: its heading begins with it. */
  name: string
  text: string
}

/**
 * Puts sections between the page's two marks: each in place of the one of the same suite, or at the end.
 * @throws Error where a mark is missing
 */
export function withSections(page: string, head: string, sections: readonly Section[]): string {
  const [from, to] = [page.indexOf(START), page.indexOf(END)]
  if (from < 0 || to < from)
    throw new Error(`docs/benchmarks.md must have ${START} and, after it, ${END}; put them back`)
  const [, ...old] = page.slice(from + START.length, to).split(/^(?=### )/m)
  const parts = old.map((part) => part.trim())
  for (const { name, text } of sections) {
    const at = parts.findIndex((part) => part.startsWith(`### ${name}:`))
    parts.splice(at < 0 ? parts.length : at, at < 0 ? 0 : 1, text)
  }
  return `${page.slice(0, from)}${[START, head, ...parts, END].join('\n\n')}${page.slice(to + END.length)}`
}
