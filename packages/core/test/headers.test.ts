import { env } from 'node:process'
import { decide, retryPolicy, statedWait } from '@sluice/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NOW, stated } from './header-values.js'

/** 20 000 here; `npm run soak` asks for ten million. */
const RUNS = Number(env.SLUICE_SOAK_RUNS ?? 20_000)

const policy = retryPolicy({ statedJitterMs: 250 })

test(`H1–H5: ${RUNS} header values never make a wait that is wrong, early, endless, negative or no number`, {
  timeout: 7_200_000,
}, () => {
  const counts = { stated: 0, none: 0, unknown: 0 }
  fc.assert(
    fc.property(stated, fc.constantFrom(0, 0.5, 1 - 2 ** -53), ({ headers: plain, wait }, draw) => {
      const headers = new Headers(plain)
      const ms = statedWait(headers, true, NOW)
      if (ms !== null && !(Number.isSafeInteger(ms) && ms >= 0)) throw new Error(`stated ${ms}`)
      if (wait !== undefined && ms !== wait) throw new Error(`stated ${ms} in place of ${wait}`)
      counts[wait === undefined ? 'unknown' : wait === null ? 'none' : 'stated']++

      const decision = decide({
        ...{ policy, failure: { kind: 'status', status: 429, headers }, safe: true, keyed: false, replayable: true },
        ...{
          attempt: 1,
          waitedMs: 0,
          throttleWaitedMs: 0,
          elapsedMs: 0,
          transientFailures: 1,
          failedTransiently: false,
        },
        ...{ retryTokens: 1, wallNow: NOW, random: () => draw },
      })
      if (!decision.retry) {
        if (decision.reason !== 'wait_over_cap' || !((ms ?? 0) > policy.perAttemptCapMs))
          throw new Error(decision.reason)
        return
      }
      const { waitMs } = decision
      const [least, most] = ms === null ? [0, 249] : [ms, ms + 249]
      if (!(Number.isSafeInteger(waitMs) && waitMs >= least && waitMs <= most)) throw new Error(`waits ${waitMs}`)
    }),
    { numRuns: RUNS },
  )
  // The generator reaches every kind.
  expect(Math.min(counts.stated, counts.none, counts.unknown)).toBeGreaterThan(RUNS / 20)
})
