/** What a log line carries besides its message. Never a token, never a query string. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

/** Where log lines go. Handed in; the default says nothing. */
export interface Logger {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** Says nothing. */
export const silentLogger: Logger = Object.freeze({ info() {}, warn() {}, error() {} })

/** One line of text each: `2026-01-31T12:00:00.000Z info request method=GET path=/v1/pipes status=200 ms=3`. */
export function textLogger(write: (line: string) => void, now: () => Date): Logger {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}) => {
      const words = [now().toISOString(), level, message]
      for (const [key, value] of Object.entries(fields)) {
        if (value !== undefined) words.push(`${key}=${typeof value === 'string' ? quoted(value) : value}`)
      }
      write(words.join(' '))
    }
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

/** Whatever could break out of its line or its field is quoted as JSON. */
function quoted(value: string): string {
  return /^[\w./:@%+-]+$/.test(value) ? value : JSON.stringify(value)
}
