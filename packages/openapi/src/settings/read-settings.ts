import type { RetrySettings } from '../model/retry-settings.js'
import { Broken, child, kindOf, type Place, type RecordPlace, record } from '../read/place.js'
import type { Reading } from '../read/reading.js'
import { readSpeakeasy } from './read-speakeasy.js'

/** The presets that core has: spec/schema/x-sluice-retry.schema.json lists the same. */
const PRESETS = ['interactive', 'background', 'disabled', 'github', 'stripe', 'openai', 'aws-json', 'shopify']

const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
const isTime = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

const FIELDS: ReadonlyMap<string, { readonly wants: string; readonly takes: (value: unknown) => boolean }> = new Map([
  ['disabled', { wants: 'true or false', takes: isBoolean }],
  ['idempotent', { wants: 'true or false', takes: isBoolean }],
  ['maxAttempts', { wants: 'an integer, 1 or more', takes: (value) => Number.isInteger(value) && Number(value) >= 1 }],
  ['baseMs', { wants: 'whole milliseconds, 0 or more', takes: isTime }],
  ['perAttemptCapMs', { wants: 'whole milliseconds, 0 or more', takes: isTime }],
  ['totalCapMs', { wants: 'whole milliseconds, 0 or more', takes: isTime }],
  ['preset', { wants: `one of ${PRESETS.join(', ')}`, takes: (value) => PRESETS.some((preset) => preset === value) }],
])

/**
 * What one level of a document says of retries: `x-sluice-retry`, else `x-speakeasy-retries` as far as it goes.
 *
 * @throws Broken for a field of `x-sluice-retry` that there is not, or that is of the wrong kind
 */
export function readSettings(reading: Reading, level: RecordPlace): RetrySettings {
  const own = child(level, 'x-sluice-retry')
  if (own.value !== undefined) return check(own)
  const theirs = child(level, 'x-speakeasy-retries')
  return theirs.value === undefined ? {} : readSpeakeasy(reading, theirs)
}

function check(place: Place): RetrySettings {
  const at = record(place, 'x-sluice-retry')
  for (const name of Object.keys(at.value)) {
    const field = FIELDS.get(name)
    const member = child(at, name)
    if (field === undefined)
      throw new Broken(member, `x-sluice-retry has no field ${name}; it has ${[...FIELDS.keys()].join(', ')}`)
    if (!field.takes(member.value))
      throw new Broken(member, `${name} must be ${field.wants}; got ${kindOf(member.value)}`)
  }
  // Each field was checked.
  return { ...at.value } as RetrySettings
}
