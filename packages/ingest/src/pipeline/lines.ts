/** Between two rows, and in none. */
export const LINE_FEED = 10

/** Where so many lines further one begins; more than one behind the end: there are not so many. */
export function startOf(lines: Uint8Array, at: number, count: number): number {
  for (let passed = 0; passed < count; passed++) {
    if (at > lines.length) return lines.length + 2
    const feed = lines.indexOf(LINE_FEED, at)
    at = feed < 0 ? lines.length + 1 : feed + 1
  }
  return at
}

/** Lines, and behind them others. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  if (only && parts.length === 1) return only
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length + 1, -1))
  let at = 0
  for (const part of parts) {
    if (at > 0) all[at++] = LINE_FEED
    all.set(part, at)
    at += part.length
  }
  return all
}
