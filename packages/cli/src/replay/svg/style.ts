import { styleOf } from '../../output/svg/style.js'

/** The lines differ in dashes too: not everybody sees colours. */
export const STYLE: string = styleOf({
  light: '--p90:#0969da;--limit:#bc4c00',
  dark: '--p90:#58a6ff;--limit:#f0883e',
  rules: `.band{fill:var(--p90);opacity:.2}
.p90{stroke:var(--p90);stroke-width:1.6;stroke-linejoin:round}
.baseline{stroke:var(--ink);stroke-width:1.4;stroke-dasharray:6 4}
.limit{stroke:var(--limit);stroke-width:2}`,
})
