import { styleOf } from '../../output/svg/style.js'
import { UsageError } from '../../usage-error.js'

/** How the lines of one controller after another are drawn: their colours on paper and in the dark, and their dashes. */
const LINES = [
  ['#0969da', '#58a6ff', 'none'],
  ['#bc4c00', '#f0883e', '7 4'],
  ['#1a7f37', '#3fb950', '2 3'],
  ['#8250df', '#bc8cff', '10 3 2 3'],
  ['#cf222e', '#ff7b72', '14 5'],
  ['#59636e', '#9198a1', '4 2'],
] as const

/** They differ in dashes too: not everybody sees colours, and not every printer has them. */
export const STYLE: string = styleOf({
  light: LINES.map(([light], at) => `--c${at}:${light}`).join(';'),
  dark: LINES.map(([, dark], at) => `--c${at}:${dark}`).join(';'),
  rules: [
    '.line{stroke-width:1.6;stroke-linejoin:round}',
    ...LINES.map(([, , dashes], at) => `.c${at}{stroke:var(--c${at});stroke-dasharray:${dashes}}`),
    '.phase{stroke:var(--pale)}',
  ].join('\n'),
})

/** @throws UsageError where there are more lines than can be told apart */
export function checkLines(count: number): void {
  if (count > LINES.length)
    throw new UsageError(`--svg: a picture has lines for ${LINES.length} controllers; name fewer than ${count}`)
}
