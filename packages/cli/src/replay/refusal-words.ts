/**
 * Puts the limiter's refusal of an option into the words of whoever set it.
 * @param message `limitOptions: backoffRatio must be a number of at least recoveryRatio (1.2); got 1.1`
 * @param nameOf what an option is called there: `--backoff-ratio`
 */
export function refusalWords(message: string, nameOf: (field: string) => string): string {
  const [, must = '', got = ''] = /^\w+: (.*?)(; got .*)?$/s.exec(message) ?? []
  return must.replace(/^\w+|\b[a-z]+[A-Z]\w*/g, nameOf) + got
}
