/** S1: an answer had begun, so the connection did not fail to be made. Says how much of it came. */
export const brokeOff = (bytes: number, cause: string | null): string =>
  `the answer broke off after ${bytes} byte${bytes === 1 ? '' : 's'}${cause === null ? '' : ` (${cause})`}`
