/** One thing that is not right, as answers name it. */
export interface FieldFault {
  /** A parameter, a header, a column, or a place in a body: `columns.0.type`. */
  readonly parameter: string
  /** As it was sent, shortened; absent where nothing was sent. */
  readonly value?: string
  /** What is wrong and what would be right. */
  readonly message: string
}

const MOST_CHARACTERS = 64

/** What somebody sent, as an answer quotes it. */
export function shortened(value: string): string {
  const cut = value.length <= MOST_CHARACTERS ? value : `${value.slice(0, MOST_CHARACTERS)}…`
  return cut.replace(/\p{Surrogate}/gu, '\ufffd') // half a character is none
}

/** One sentence a fault: `limit "0" is not a whole number from 1 to 1000.` */
export function describeFaults(faults: readonly FieldFault[]): string {
  return faults
    .map(({ parameter, value, message }) => `${parameter}${value === undefined ? '' : ` "${value}"`} ${message}.`)
    .join(' ')
}
