/** Longer is no title and no name of a cause. */
const LONGEST = 200

/** Text from outside, made fit for a message: no control characters, one line, not too long; null where none is left. */
export const oneLine = (text: string): string | null =>
  text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST) || null
