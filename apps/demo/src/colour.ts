/** Dresses text for a terminal. */
export type Paint = (style: Style, text: string) => string

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const

export type Style = keyof typeof CODES

/** Text as it is. */
export const noColour: Paint = (_, text) => text

const ansi: Paint = (style, text) => {
  const [on, off] = CODES[style]
  return `\u001b[${on}m${text}\u001b[${off}m`
}

/** Colour on a terminal only, and not where NO_COLOR (no-color.org) is set or the terminal cannot. */
export function colourFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint {
  return stream.isTTY && !env.NO_COLOR && env.TERM !== 'dumb' ? ansi : noColour
}
