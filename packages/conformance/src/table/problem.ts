/** One thing wrong with a table. */
export interface Problem {
  /** Null where it is in the table's head. */
  caseId: string | null
  /** Dotted: `expect.wait_ms_min`. */
  field: string
  /** What is wrong, and what is allowed. */
  says: string
}

/** `retry-cases.json: retry-cases/one: expect.retry is "yes"; allowed: true or false`. */
export function problemLine(file: string, { caseId, field, says }: Problem): string {
  return `${file}: ${caseId === null ? '' : `${caseId}: `}${field} ${says}`
}

/** A value as JSON, cut where it is long. */
export function shown(value: unknown): string {
  const json = value === undefined ? 'nothing' : JSON.stringify(value)
  return json.length > 80 ? `${json.slice(0, 77)}…` : json
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** How messages call a case: its id, or its place where it has none. */
export function caseName(row: unknown, index: number): string {
  return isRecord(row) && typeof row.id === 'string' ? row.id : `cases[${index}]`
}
