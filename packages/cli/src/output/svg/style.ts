/** What a picture adds to the style that all of them have. */
export interface PictureStyle {
  /** Its own colours on paper and on a dark screen: `--p90:#0969da`. */
  readonly light: string
  readonly dark: string
  /** How its lines are drawn. */
  readonly rules: string
}

/** Light, also in print; dark on a screen that asks for it. */
export const styleOf = ({ light, dark, rules }: PictureStyle): string => `
:root{--paper:#fff;--ink:#1f2328;--pale:#59636e;--grid:#d8dee4;${light}}
@media screen and (prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--pale:#9198a1;--grid:#2b3138;${dark}}}
text{font:13px system-ui,sans-serif;fill:var(--ink)}
.title{font-size:17px;font-weight:600}
.label{font-weight:600}
.small{font-size:12px;fill:var(--pale)}
.end{text-anchor:end}
.middle{text-anchor:middle}
.paper{fill:var(--paper)}
path{fill:none}
.grid{stroke:var(--grid)}
${rules}
`
