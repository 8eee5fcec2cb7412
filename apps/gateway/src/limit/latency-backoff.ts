import { ConfigError } from '../config-error.js'

const OFF = ['false', '0', 'no', 'off']
const ON = ['true', '1', 'yes', 'on']

/**
 * Reads the kill switch (L14).
 *
 * @param value of `SLUICE_LATENCY_BACKOFF`; not set or empty: on
 * @returns false where the limit is to stay whatever latency does
 * @throws ConfigError for any other word: who means to switch something off should not be misunderstood
 */
export function readLatencyBackoff(value: string | undefined): boolean {
  const word = (value ?? '').trim().toLowerCase()
  if (word === '' || ON.includes(word)) return true
  if (OFF.includes(word)) return false
  const remedy = `write one of ${OFF.join(', ')} to switch the latency back-off off, or unset it`
  throw new ConfigError('environment', 'SLUICE_LATENCY_BACKOFF', `is ${JSON.stringify(value)}; ${remedy}`)
}
