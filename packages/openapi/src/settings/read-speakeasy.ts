import type { RetrySettings } from '../model/retry-settings.js'
import { isRecord } from '../read/is-record.js'
import { child, kindOf, type Place, type RecordPlace } from '../read/place.js'
import type { Reading } from '../read/reading.js'

const RETRIED = ['429', '502', '503', '504']

/** Where a number of `backoff` goes. */
const NUMBERS = [
  ['initialInterval', 'baseMs'],
  ['maxInterval', 'perAttemptCapMs'],
  ['maxElapsedTime', 'totalCapMs'],
] as const

/** Speakeasy's `x-speakeasy-retries` in our words. What has no word in ours is noted: it is not our document's mistake. */
export function readSpeakeasy(reading: Reading, place: Place): RetrySettings {
  if (!isRecord(place.value)) {
    reading.note(place, `x-speakeasy-retries must be an object; got ${kindOf(place.value)}: it is left out`)
    return {}
  }
  const at: RecordPlace = { value: place.value, pointer: place.pointer }
  const strategy = child(at, 'strategy')
  if (strategy.value === 'none') return { disabled: true }
  if (strategy.value !== 'backoff') {
    reading.note(strategy, `strategy must be backoff or none; got ${kindOf(strategy.value)}: the retries are left out`)
    return {}
  }
  noteStatusCodes(reading, child(at, 'statusCodes'))
  if (at.value.retryConnectionErrors === false)
    reading.note(
      child(at, 'retryConnectionErrors'),
      'failed connections are retried where repeating is safe; that cannot be turned off alone',
    )
  // Over a level that has them disabled.
  return { disabled: false, ...readBackoff(reading, child(at, 'backoff')) }
}

function readBackoff(reading: Reading, place: Place): RetrySettings {
  if (!isRecord(place.value)) {
    if (place.value !== undefined)
      reading.note(place, `backoff must be an object; got ${kindOf(place.value)}: it is left out`)
    return {}
  }
  const at: RecordPlace = { value: place.value, pointer: place.pointer }
  const exponent = child(at, 'exponent')
  if (exponent.value !== undefined && exponent.value !== 2)
    reading.note(
      exponent,
      `waits double from one attempt to the next; the exponent ${kindOf(exponent.value)} is not carried over`,
    )
  const fields = NUMBERS.flatMap(([theirs, ours]): [string, number][] => {
    const { value, pointer } = child(at, theirs)
    if (value === undefined) return []
    if (Number.isSafeInteger(value) && Number(value) >= 0) return [[ours, Number(value)]]
    reading.note({ pointer }, `${theirs} must be whole milliseconds, 0 or more; got ${kindOf(value)}: it is left out`)
    return []
  })
  // Names from the table above.
  return Object.fromEntries(fields) as RetrySettings
}

function noteStatusCodes(reading: Reading, place: Place): void {
  if (place.value === undefined) return
  const codes = Array.isArray(place.value) ? place.value.map(String) : []
  const more = codes.filter((code) => !RETRIED.includes(code))
  const fewer = RETRIED.filter((code) => !codes.includes(code) && !codes.includes(`${code[0]}XX`))
  if (more.length === 0 && fewer.length === 0) return
  const parts = [
    ...(more.length > 0 ? [`${more.join(', ')} cannot be added`] : []),
    ...(fewer.length > 0 ? [`${fewer.join(', ')} cannot be left out`] : []),
  ]
  reading.note(place, `${RETRIED.join(', ')} are retried; ${parts.join(' and ')}`)
}
