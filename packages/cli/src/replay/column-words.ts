import type { ColumnError } from './columns.js'

/** Says which column is missing, and which may be meant; or which is there twice. */
export async function columnWords(file: string, { option, wanted, present, several }: ColumnError): Promise<string> {
  const [one, other] = several
  if (one !== undefined && one === other)
    return `${option}: ${file} has ${several.length} columns of the name ${one}; give them names that differ`
  if (one !== undefined) return `${option}: ${file} has ${several.join(' and ')}; name one of them`
  const { nearest } = await import('@sluice/conformance')
  const there = `there are ${present.slice(0, 20).join(', ')}${present.length > 20 ? ', …' : ''}`
  if (wanted !== null) {
    const [near] = nearest(wanted, present, 1)
    return `${option}: ${file} has no column ${wanted}; ${near === undefined ? there : `did you mean ${near}?`}`
  }
  const what = `${file} has no column of the usual names for ${option === '--time-column' ? 'the time' : 'the latency'}`
  const [only = ''] = present
  if (present.length === 1 && /[;\t|]/.test(only))
    return `${what}: its first line is ${JSON.stringify(only)}; --delimiter says what stands between columns`
  if (present.every((name) => /^[\d.:TZ+-]+$/.test(name)))
    return `${what}: its first line holds no names; write one before it, such as time,latency_ms`
  return `${what}; name it by ${option}: ${there}`
}
