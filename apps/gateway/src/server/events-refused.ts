import { type QuotaDecision, type Refused, retryAfterSeconds } from '@sluice/ingest'
import { counted } from '../counted.js'
import type { DataSource } from '../ingest/data-source.js'
import { Refusal } from './refusal.js'

/** 429: the data source's own plan, of requests or of rows. */
export function sourceQuotaSpent(
  source: DataSource,
  { retryAfterMs }: QuotaDecision,
  what: 'request' | 'row',
): Refusal {
  const { requests_per_second, burst, rows_per_second } = source.definition.plan
  const [rate, atOnce] = what === 'row' ? [rows_per_second, source.maxRows] : [requests_per_second, burst]
  const whose = what === 'row' ? '' : ' of each token'
  return refused('quota-exceeded', 'Quota exceeded', retryAfterMs, (when) => {
    return `The plan of "${source.name}" allows ${counted(rate, what)} a second${whose} and ${atOnce} at once.${when}`
  })
}

/** 429 or 503: what the pipeline said. @param isPaused by its owner */
export function refusalOf(source: DataSource, { reason, retryAfterMs }: Refused, isPaused: boolean): Refusal {
  const { name, definition } = source
  const { backlog_max_bytes, backlog_max_age_s } = definition.plan
  const paused = isPaused ? ' Its owner has paused it; it takes more once it is resumed and written, or dropped.' : ''
  switch (reason) {
    case 'limited':
      return refused('source-limited', 'Data source limited', retryAfterMs, (when) => {
        return `"${name}" did not keep up for long and takes fewer events for a time.${when}`
      })
    case 'source_bytes':
      return refused('backlog-full', 'Backlog full', retryAfterMs, (when) => {
        return `With this more than ${backlog_max_bytes} bytes of "${name}" would wait to be written, which is all its plan allows.${paused}${when}`
      })
    case 'source_age':
      return refused('backlog-full', 'Backlog full', retryAfterMs, (when) => {
        return `Events of "${name}" wait for more than ${backlog_max_age_s} s, which is all its plan allows.${paused}${when}`
      })
    case 'source_pieces':
      return refused('backlog-full', 'Backlog full', retryAfterMs, (when) => {
        const why = 'each batch is one for each partition that it has rows for'
        return `With this too many pieces of "${name}" would wait to be written: ${why}.${paused}${when}`
      })
    case 'tenant_bytes':
    case 'tenant_pieces':
      return refused('backlog-full', 'Backlog full', retryAfterMs, (when) => {
        return `With this more of your tenant's would wait to be written than one tenant may have waiting.${when}`
      })
    case 'closing':
      return unavailable('The gateway is shutting down.', retryAfterMs)
    default:
      return unavailable('As much waits to be written as the gateway may keep.', retryAfterMs)
  }
}

/** 503: the disk. */
export function spoolFailed(): Refusal {
  return unavailable('The events could not be put on disk. Whoever runs the gateway finds why in its log.', null)
}

/** 504. */
export function writePending(rows: number, why: 'late' | 'closing' | 'dropped', timeoutMs: number): Refusal {
  const [were, are] = rows === 1 ? ['row was', 'row is'] : ['rows were', 'rows are']
  const dropped = `The ${rows} ${were} on disk, and an owner has dropped the backlog before that was written.`
  const not = why === 'closing' ? 'when the gateway shut down' : `within ${timeoutMs} ms`
  const late = `The ${rows} ${are} on disk, but not written ${not}. That will be done; do not send it again.`
  const [kind, title, detail] =
    why === 'dropped' ? ['backlog-dropped', 'Dropped', dropped] : ['write-pending', 'Not written yet', late]
  return new Refusal({ status: 504, kind, title, detail })
}

/** 409. */
export function keyInProgress(key: string): Refusal {
  const detail = `A batch with Idempotency-Key ${JSON.stringify(key)} is being taken just now. Send it again a little later.`
  return new Refusal({ status: 409, kind: 'key-in-progress', title: 'Key in progress', detail })
}

/** 422. */
export function keyUsed(key: string): Refusal {
  const detail = `Idempotency-Key ${JSON.stringify(key)} came with another body before. Use a new key.`
  return new Refusal({ status: 422, kind: 'key-used', title: 'Key used before', detail })
}

function refused(kind: string, title: string, retryAfterMs: number | null, say: (when: string) => string): Refusal {
  const seconds = retryAfterMs === null ? null : retryAfterSeconds(retryAfterMs)
  const detail = say(seconds === null ? ' Send less at once.' : ` Come back in ${seconds} s.`)
  return new Refusal({ status: 429, kind, title, detail, headers: statedWait(seconds) })
}

function unavailable(detail: string, retryAfterMs: number | null): Refusal {
  const headers = statedWait(retryAfterMs === null ? null : retryAfterSeconds(retryAfterMs))
  return new Refusal({ status: 503, kind: 'unavailable', title: 'Unavailable', detail, headers })
}

const statedWait = (seconds: number | null): Record<string, string> =>
  seconds === null ? {} : { 'Retry-After': String(seconds) }
