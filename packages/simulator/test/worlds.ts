import type { Phase, Scenario } from '../src/scenario/scenario.js'

/** A quiet world of one server, for tests to change. */
export function world(changes: Partial<Scenario> & { ratePerSecond?: number; cores?: number } = {}): Scenario {
  const { ratePerSecond = 22.5, cores = 24, ...rest } = changes
  return {
    id: 'test',
    number: 0,
    title: 'A world for a test',
    why: 'Tests need one.',
    durationS: 3600,
    server: { discipline: 'processor_sharing', cores, queue: null, throttle: null, networkMs: 0 },
    work: [{ name: 'query', share: 1, meanMs: 400, sigma: 0.8 }],
    load: { ratePerSecond, between: 'steps', points: [{ atS: 0, factor: 1 }] },
    batch: null,
    faults: [],
    client: {
      ...{ maxConcurrent: 35, maxQueue: 100_000, queueTimeoutMs: 600_000 },
      ...{ policy: null, retryBudget: false, prior: null },
    },
    phases: { all: whole(3600) },
    targets: [],
    ...rest,
  }
}

export const whole = (durationS: number): Phase => ({ fromS: 0, toS: durationS })

/** Steady-state mean number in an M/M/c system (Erlang C; Kleinrock, Queueing Systems I, 3.6). */
export function meanInMmc(arrivalsPerSecond: number, meanServiceS: number, servers: number): number {
  const offered = arrivalsPerSecond * meanServiceS
  let term = 1
  let sum = 1
  for (let k = 1; k < servers; k++) {
    term = (term * offered) / k
    sum += term
  }
  const last = (term * offered) / servers / (1 - offered / servers)
  const waits = last / (sum + last)
  return offered + (waits * offered) / servers / (1 - offered / servers)
}
