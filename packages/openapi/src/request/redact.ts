/** Shorter ones are no secrets, and would be found in innocent words. */
const SHORTEST = 6

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/**
 * A copy of a text, or of plain JSON, none of whose texts holds one of these secrets, in any form in which it may have
 * been sent: a server may answer with what it got. Instead of them it says `[redacted]`.
 */
export function redact<T>(value: T, secrets: readonly string[]): T {
  const forms = secrets
    // Of `user:password` the password alone is one.
    .flatMap((secret) => [secret, secret.slice(secret.indexOf(':') + 1)])
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), base64(secret)])
    .filter((form) => form.length >= SHORTEST)
  if (forms.length === 0) return value
  const clean = (one: unknown): unknown => {
    if (typeof one === 'string') return forms.reduce((text, form) => text.replaceAll(form, '[redacted]'), one)
    if (Array.isArray(one)) return one.map(clean)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([key, member]) => [clean(key), clean(member)]))
  }
  return clean(value) as T // of the same shape: only texts in it changed
}
