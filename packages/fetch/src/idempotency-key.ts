/** A random UUID, version 4 (RFC 9562). `crypto.randomUUID` is missing from pages that came over plain http. */
const uuid = (): string =>
  '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) => {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
    return (Number(digit) ^ (byte & (15 >> (Number(digit) / 4)))).toString(16)
  })

/**
 * Adds an `Idempotency-Key` to a method that is not safe to repeat without one (R2).
 * @returns headers with the key, or undefined where there is nothing to add
 */
export function withIdempotencyKey(
  method: string,
  headers: HeadersInit | undefined,
  make: boolean | (() => string) | undefined,
): Headers | undefined {
  if (!make || !/^(POST|PATCH)$/i.test(method)) return
  const keyed = new Headers(headers)
  if (keyed.has('idempotency-key')) return
  keyed.set('idempotency-key', make === true ? uuid() : make())
  return keyed
}
