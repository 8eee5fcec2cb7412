import { counted } from '../output/figures.js'

/** Rows of a list that is shown to a person; all of it is in the JSON. */
export const MOST_ROWS = 20

/** What is said of those that are not shown: nothing where there are none. */
export const more = (count: number, what: string): string[] =>
  count > 0 ? [`… and ${counted(count, `more ${what}`)}`] : []
