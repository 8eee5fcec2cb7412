/** The families of rules that spec/ states, with their highest number. */
const FAMILIES: Readonly<Record<string, number>> = { R: 18, H: 5 }

/** Every rule id, in order: R1 … R18, H1 … H5. */
export const RULES: readonly string[] = Object.entries(FAMILIES).flatMap(([family, highest]) =>
  Array.from({ length: highest }, (_, i) => `${family}${i + 1}`),
)

/** For messages: `R1–R18, H1–H5`. */
export const RULE_RANGES: string = Object.entries(FAMILIES)
  .map(([family, highest]) => `${family}1–${family}${highest}`)
  .join(', ')
