/** RFC 3986: everything but the unreserved characters. Half a surrogate pair becomes U+FFFD, as in a URL. */
export const percentEncode = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** RFC 3986 `pchar`, `/` and `?` stay, and so does what is encoded already; what would end the value in a query does not. */
const RESERVED = /%[0-9A-Fa-f]{2}|[:/?@!$'()*,;=]+/g

/** For `allowReserved`. `&`, `+`, `#` and brackets are encoded all the same: a value stays one value. */
export function encodeReserved(text: string): string {
  let encoded = ''
  let end = 0
  for (const kept of text.matchAll(RESERVED)) {
    encoded += percentEncode(text.slice(end, kept.index)) + kept[0]
    end = kept.index + kept[0].length
  }
  return encoded + percentEncode(text.slice(end))
}
