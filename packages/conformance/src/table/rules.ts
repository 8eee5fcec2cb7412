import type { Suite } from '@sluice/spec'

/** The families of rules that spec/ states, with their highest number. */
type Families = Readonly<Record<string, number>>
const FAMILIES: Families = { R: 18, H: 5 }
/** Those about what a person or a program sees: pinned by surface-cases alone. */
const SURFACES: Families = { S: 5 }
/** Those about a limit over time: pinned by backoff-scenarios, and by calls that share a limiter. */
const LIMIT: Families = { L: 21 }

/** Those about what stands before a column store: pinned by ingest-scenarios. */
const INGEST: Families = { I: 8 }

const ids = (families: Families): string[] =>
  Object.entries(families).flatMap(([family, highest]) =>
    Array.from({ length: highest }, (_, i) => `${family}${i + 1}`),
  )

const ranges = (families: Families): string =>
  Object.entries(families)
    .map(([family, highest]) => `${family}1–${family}${highest}`)
    .join(', ')

/** Every rule that is replayed here, in order: R1 … R18, H1 … H5, L1 … L21, I1 … I8. */
export const RULES: readonly string[] = ids({ ...FAMILIES, ...LIMIT, ...INGEST })

/** Other families than those about a call. */
const FAMILIES_OF: Partial<Record<Suite, Families>> = {
  'call-scenarios': { ...FAMILIES, ...LIMIT },
  'surface-cases': { ...FAMILIES, ...SURFACES },
  'backoff-scenarios': LIMIT,
  'ingest-scenarios': INGEST,
}

/** The rules that a case of a suite may pin, and the same for messages: `R1–R18, H1–H5`. */
export function rulesOf(suite: Suite): { rules: readonly string[]; allowed: string } {
  const families = FAMILIES_OF[suite] ?? FAMILIES
  return { rules: ids(families), allowed: ranges(families) }
}
