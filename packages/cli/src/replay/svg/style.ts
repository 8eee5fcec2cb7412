/** Light, also in print; dark on a screen that asks for it. The lines differ in dashes too: not everybody sees colours. */
export const STYLE = `
:root{--paper:#fff;--ink:#1f2328;--pale:#59636e;--grid:#d8dee4;--p90:#0969da;--limit:#bc4c00}
@media screen and (prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--pale:#9198a1;--grid:#2b3138;--p90:#58a6ff;--limit:#f0883e}}
text{font:13px system-ui,sans-serif;fill:var(--ink)}
.title{font-size:17px;font-weight:600}
.label{font-weight:600}
.small{font-size:12px;fill:var(--pale)}
.end{text-anchor:end}
.middle{text-anchor:middle}
.paper{fill:var(--paper)}
path{fill:none}
.grid{stroke:var(--grid)}
.band{fill:var(--p90);opacity:.2}
.p90{stroke:var(--p90);stroke-width:1.6;stroke-linejoin:round}
.baseline{stroke:var(--ink);stroke-width:1.4;stroke-dasharray:6 4}
.limit{stroke:var(--limit);stroke-width:2}
`
