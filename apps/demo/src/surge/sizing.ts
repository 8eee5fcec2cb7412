/** What one machine was measured to do. */
export interface Measured {
  /** Processors to compute on. */
  readonly cores: number
  /** A light question over {@link TRIAL_LIGHT} thousand numbers, alone, in ms. */
  readonly lightMs: number
  /** The job over {@link TRIAL_JOB} thousand numbers, alone, in ms. */
  readonly jobMs: number
}

/** How much of it to ask for. */
export interface Sizing {
  /** Numbers that a light question adds up, in thousands. */
  readonly lightThousands: number
  /** And the job. */
  readonly jobThousands: number
  /** How long a caller pauses between two questions on average, in ms. */
  readonly pauseMs: number
}

export const TRIAL_LIGHT = 2000
export const TRIAL_JOB = 100_000

/** The engine's slots, whatever the machine: a light question takes more threads on a larger one. */
export const SLOTS = 8
/** Three callers a slot: enough to fill all of them when answers get slow. */
export const CALLERS = 24
/** What a light question should take alone, in ms: long enough that the engine computes, and not the demo. */
const LIGHT_MS = 40
/** The share of the processors that the callers keep busy while all is well. */
const USE = 0.78
/** What a light question takes beside the others, as a multiple of what it takes alone. */
const BESIDE_OTHERS = 1.5

/** Threads of a light question: eight of them could keep each processor busy four times over. */
export const lightThreads = (cores: number): number => Math.max(1, Math.floor(cores / 2))

/** Threads of the job: so many that beside eight questions it gets a third of the processors, and beside four a half. */
export const jobThreads = (cores: number): number => 2 * cores

/** Sizes the act for a machine. @param jobMs how long the job should take alone */
export function sizingFor({ cores, lightMs, jobMs }: Measured, wantedJobMs: number): Sizing {
  const perSecond = (USE * cores * 1000) / (LIGHT_MS * lightThreads(cores))
  return {
    lightThousands: Math.max(1, Math.round((TRIAL_LIGHT * LIGHT_MS) / lightMs)),
    jobThousands: Math.max(1, Math.round((TRIAL_JOB * wantedJobMs) / jobMs)),
    pauseMs: Math.max(10, (CALLERS / perSecond) * 1000 - BESIDE_OTHERS * LIGHT_MS),
  }
}
