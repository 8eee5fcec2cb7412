/** `0.32ms`, `120ms`, `12.5s`: three digits that say something. */
export function latencyText(ms: number | null): string {
  if (ms === null) return '-'
  const [figure, unit] = ms < 10_000 ? [ms, 'ms'] : [ms / 1000, 's']
  return `${figure >= 100 ? Math.round(figure) : Number(figure.toPrecision(3))}${unit}`
}

/** `12.5 %`. What is not nothing is not shown as nothing. */
export function shareText(share: number): string {
  const percent = share * 100
  return percent > 0 && percent < 0.1 ? '< 0.1 %' : `${percent.toFixed(1)} %`
}

/** `1 window`, `2 windows`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
