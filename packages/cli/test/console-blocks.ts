/** A command of a page, and what it prints. */
export interface PageCommand {
  readonly command: string
  readonly prints: string
}

/**
 * A `console` block of a page is commands after `$ `, each with what it prints, stdout before stderr, and a line
 * `exit code N` where that is not 0. `…` stands for what differs from run to run.
 */
export const commandsOf = (page: string): readonly PageCommand[] =>
  [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const [command = '', ...prints] = text.trimEnd().split('\n')
        return { command, prints: prints.join('\n') }
      }),
  )

export const patternOf = (prints: string): RegExp =>
  new RegExp(`^${prints.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '[\\s\\S]*')}$`)
