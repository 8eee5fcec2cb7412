import type { DrainRate } from '../drain-rate.js'
import type { SaturationClock, SavedSaturation } from '../limit/saturation-clock.js'
import type { SavedTemporalLimit, TemporalLimit } from '../limit/temporal-limit.js'
import type { Quota } from '../quota/quota.js'
import type { rateLimitHeaders } from '../quota/rate-limit-headers.js'
import type { retryAfterSeconds } from '../retry-after.js'
import { inCamelCase, type MakeMachine, repeat } from './machine.js'

/** The part of the public face that limits. */
export interface LimitsFace {
  DrainRate: typeof DrainRate
  Quota: typeof Quota
  SaturationClock: typeof SaturationClock
  TemporalLimit: typeof TemporalLimit
  rateLimitHeaders: typeof rateLimitHeaders
  retryAfterSeconds: typeof retryAfterSeconds
}

export const saturationClock: MakeMachine<LimitsFace> = ({ SaturationClock }, config, clock, saved) => {
  const machine = new SaturationClock({ ...inCamelCase(config), clock })
  if (saved) machine.restore(saved as SavedSaturation)
  return {
    actions: {
      observe: ({ saturated }) => void machine.observe(Boolean(saturated)),
      reset: () => void machine.reset(),
    },
    read: () => ({ clock_ms: machine.valueMs, full: machine.isFull }),
    save: () => machine.snapshot(),
  }
}

export const drainRate: MakeMachine<LimitsFace> = ({ DrainRate }, _, clock) => {
  const machine = new DrainRate({ clock })
  return {
    actions: { drain: ({ amount }) => void machine.add(Number(amount)) },
    read: () => ({ per_second: machine.perSecond }),
  }
}

export const temporalLimit: MakeMachine<LimitsFace> = (face, config, clock, saved) => {
  const saturation = new face.SaturationClock({ clock })
  const machine = new face.TemporalLimit({ ...inCamelCase(config), saturation, clock })
  if (saved) machine.restore(saved as SavedTemporalLimit)
  return {
    actions: {
      observe: ({ saturated }) => void machine.observe(Boolean(saturated)),
      drain: ({ amount }) => void machine.drained(Number(amount)),
      send: ({ rows }) => {
        const { isAdmitted, retryAfterMs } = machine.admit(Number(rows))
        return {
          admitted: isAdmitted,
          retry_after_ms: retryAfterMs,
          retry_after_s: face.retryAfterSeconds(retryAfterMs),
        }
      },
      lift: () => void machine.lift(),
    },
    read: () => {
      const { rowsPerSecond, healthyForMs, liftedInMs } = machine
      const times = { healthy_ms: healthyForMs, lifted_in_ms: liftedInMs }
      return { limit: rowsPerSecond, clock_ms: saturation.valueMs, ...times }
    },
    save: () => machine.snapshot(),
  }
}

export const quota: MakeMachine<LimitsFace> = ({ Quota, rateLimitHeaders }, config, clock) => {
  const machine = new Quota({ ...inCamelCase(config), clock })
  return {
    actions: {
      take: ({ token, source, cost, times }) => {
        const all: ReturnType<Quota['take']>[] = []
        repeat(times, () =>
          all.push(machine.take(String(token), String(source), cost === undefined ? undefined : Number(cost))),
        )
        const last = all.at(-1)
        if (!last) throw new Error('a take that takes nothing')
        const { burst, windowMs, remaining, resetMs, retryAfterMs } = last
        const figures = { burst, window_ms: windowMs, remaining, reset_ms: resetMs, retry_after_ms: retryAfterMs }
        const admitted = all.every(({ isAdmitted }) => isAdmitted)
        return { admitted, ...figures, headers: rateLimitHeaders('plan', last) }
      },
    },
    read: () => ({ size: machine.size }),
  }
}
