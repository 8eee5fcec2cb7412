import fc from 'fast-check'

/** A response's headers, and what is known of the wait they state: undefined where the generator does not know. */
export interface Stated {
  headers: Record<string, string>
  /** The exact wait in ms; null: none is stated. */
  wait?: number | null
}

const MAX = Number.MAX_SAFE_INTEGER
/** The moment that every generated date is compared with. */
export const NOW: number = Date.UTC(2026, 10, 29, 12, 0, 0)

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const two = (n: number): string => `${n}`.padStart(2, '0')

const imf = (at: Date): string => at.toUTCString()
const rfc850 = (at: Date): string =>
  `${DAYS[at.getUTCDay()]}, ${two(at.getUTCDate())}-${MONTHS[at.getUTCMonth()]}-${two(at.getUTCFullYear() % 100)} ${at.toISOString().slice(11, 19)} GMT`
const asctime = (at: Date): string =>
  `${DAYS[at.getUTCDay()]?.slice(0, 3)} ${MONTHS[at.getUTCMonth()]} ${`${at.getUTCDate()}`.padStart(2, ' ')} ${at.toISOString().slice(11, 19)} ${at.getUTCFullYear()}`

const digits = fc.oneof(
  fc.nat({ max: 100_000 }).map(String),
  fc.stringMatching(/^\d{1,40}$/),
  fc.integer({ min: 300, max: 2000 }).map((length) => '9'.repeat(length)),
)
const padded = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(fc.stringMatching(/^[ \t]{0,3}$/), value, fc.stringMatching(/^[ \t]{0,3}$/)).map((parts) => parts.join(''))

/** Whole and decimal seconds, by integers alone: no binary fraction takes part. */
const seconds: fc.Arbitrary<{ text: string; ms: number }> = fc.oneof(
  digits.map((text) => ({ text, ms: saturated(BigInt(text) * 1000n) })),
  fc.tuple(digits, fc.stringMatching(/^\d{1,12}$/)).map(([whole, fraction]) => {
    const scale = 10n ** BigInt(fraction.length)
    const thousandths = (BigInt(whole + fraction) * 1000n + scale - 1n) / scale
    return { text: `${whole}.${fraction}`, ms: saturated(thousandths) }
  }),
)
const saturated = (ms: bigint): number => (ms > BigInt(MAX) ? MAX : Number(ms))

const date: fc.Arbitrary<Stated> = fc
  .tuple(fc.integer({ min: -1_500_000_000, max: 1_500_000_000 }), fc.constantFrom(imf, rfc850, asctime), fc.boolean())
  .map(([aheadSeconds, form, own]) => {
    const headers = { 'retry-after': form(new Date(NOW + aheadSeconds * 1000)) }
    const wait = Math.max(0, aheadSeconds * 1000)
    return { headers: own ? { ...headers, date: imf(new Date(NOW)) } : headers, wait }
  })

const MALFORMED = [
  '-1',
  '+5',
  '5s',
  '5, 10',
  '0x10',
  '1e3',
  '.5',
  '5.',
  'soon',
  '2026-11-29T12:00:05Z',
  '',
  'Infinity',
  'NaN',
]
const malformed = fc.oneof(
  fc.constantFrom(...MALFORMED),
  digits.map((text) => `${text},${text}`),
  date.map(({ headers }) => `${headers['retry-after']}`.replace('GMT', 'UTC').replace(/ (\d{4})$/, ' $1 GMT')),
)

const quota = fc.record({
  r: fc.constantFrom('0', '1', '00', '-1', 'x'),
  t: digits,
  name: fc.stringMatching(/^[a-z;,=" ]{0,8}$/),
})
const rateLimit = fc
  .array(quota, { minLength: 1, maxLength: 4 })
  .map((list) => list.map(({ r, t, name }) => `"${name.replaceAll('"', '\\"')}";r=${r};t=${t}`).join(', '))
const anything = fc.stringMatching(/^[\x20-\x7e]{0,60}$/)

/** Headers that state a wait, do not, or may: by the grammar, near it, and far from it. */
export const stated: fc.Arbitrary<Stated> = fc.oneof(
  fc
    .tuple(seconds, fc.boolean())
    .chain(([{ text, ms }]) =>
      padded(fc.constant(text)).map((value): Stated => ({ headers: { 'retry-after': value }, wait: ms })),
    ),
  date,
  malformed.map((value): Stated => ({ headers: { 'retry-after': value }, wait: null })),
  digits.map(
    (text): Stated => ({ headers: { 'retry-after-ms': text, 'retry-after': '1' }, wait: saturated(BigInt(text)) }),
  ),
  rateLimit.map((value): Stated => ({ headers: { ratelimit: value } })),
  fc
    .tuple(
      fc.constantFrom('ratelimit', 'ratelimit-reset', 'x-ratelimit-reset', 'retry-after', 'date', 'age'),
      anything,
      anything,
    )
    .map(([name, value, other]): Stated => ({ headers: { [name]: value, 'x-ratelimit-reset': other } })),
  fc.tuple(digits, fc.option(digits)).map(
    ([reset, remaining]): Stated => ({
      headers: { 'x-ratelimit-reset': reset, ...(remaining === null ? {} : { 'x-ratelimit-remaining': remaining }) },
    }),
  ),
)
