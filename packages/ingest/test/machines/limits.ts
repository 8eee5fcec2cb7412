import { DrainRate, Quota, rateLimitHeaders, SaturationClock, TemporalLimit } from '@sluice/ingest'
import { inCamelCase, type MakeMachine, repeat } from './machine.js'

export const saturationClock: MakeMachine = (config, clock, saved) => {
  const machine = new SaturationClock({ ...inCamelCase(config), clock })
  if (saved) machine.restore(saved as ReturnType<SaturationClock['snapshot']>)
  return {
    actions: {
      watch: async ({ saturated, for_ms }) => {
        machine.observe(Boolean(saturated))
        for (let ms = 0; ms < Number(for_ms); ms += 1000) {
          await clock.advance(1000)
          machine.observe(Boolean(saturated))
        }
        return {}
      },
      observe: ({ saturated }) => void machine.observe(Boolean(saturated)),
      reset: () => void machine.reset(),
    },
    read: () => ({ clock_ms: machine.valueMs, full: machine.isFull }),
    save: () => machine.snapshot(),
  }
}

export const drainRate: MakeMachine = (_, clock) => {
  const machine = new DrainRate({ clock })
  return {
    actions: { drain: ({ amount }) => void machine.add(Number(amount)) },
    read: () => ({ per_second: machine.perSecond }),
  }
}

export const temporalLimit: MakeMachine = (config, clock, saved) => {
  const saturation = new SaturationClock({ clock })
  const machine = new TemporalLimit({ ...inCamelCase(config), saturation, clock })
  if (saved) machine.restore(saved as ReturnType<TemporalLimit['snapshot']>)
  return {
    actions: {
      watch: async ({ saturated, for_ms, rows_per_second = 0 }) => {
        machine.observe(Boolean(saturated))
        for (let ms = 0; ms < Number(for_ms); ms += 1000) {
          await clock.advance(1000)
          machine.drained(Number(rows_per_second))
          machine.observe(Boolean(saturated))
        }
        return {}
      },
      observe: ({ saturated }) => void machine.observe(Boolean(saturated)),
      send: ({ rows }) => {
        const { isAdmitted, retryAfterMs } = machine.admit(Number(rows))
        return { admitted: isAdmitted, retry_after_ms: retryAfterMs }
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

export const quota: MakeMachine = (config, clock) => {
  const machine = new Quota({ ...inCamelCase(config), clock })
  return {
    actions: {
      take: ({ token, source, cost, times }) => {
        const all: ReturnType<Quota['take']>[] = []
        repeat(times, () =>
          all.push(machine.take(String(token), String(source), cost === undefined ? 1 : Number(cost))),
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
