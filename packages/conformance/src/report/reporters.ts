import { jsonReport } from './json.js'
import { junitReport } from './junit.js'
import { type PrettyOptions, prettyReport } from './pretty.js'
import type { Report } from './report.js'
import { tapReport } from './tap.js'

/** A report as text; only `pretty` looks at the options. */
export type Reporter = (report: Report, options?: PrettyOptions) => string

export type ReporterName = 'pretty' | 'json' | 'junit' | 'tap'

/** The reporters by name. */
export const reporters: Readonly<Record<ReporterName, Reporter>> = {
  pretty: prettyReport,
  json: jsonReport,
  junit: junitReport,
  tap: tapReport,
}
