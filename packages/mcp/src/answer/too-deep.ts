/** What is nested deeper is nothing that an agent could read, and would overflow the stack of what reads it. */
const MOST = 200

/** Whether lists and objects are nested deeper than anything could need. */
export const isTooDeep = (value: unknown, left: number = MOST): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (left === 0 || Object.values(value).some((member) => isTooDeep(member, left - 1)))
