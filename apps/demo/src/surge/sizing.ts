/** How much to ask for, and how often. */
export interface Sizing {
  /** Numbers that a light question adds up, in thousands. */
  readonly lightThousands: number
  /** And the job. */
  readonly jobThousands: number
  /** What a light question takes alone, in ms. */
  readonly lightMs: number
  /** How long a caller pauses between two questions on average, in ms. */
  readonly pauseMs: number
}

/** The engine's slots, whatever the machine: a light question takes more threads on a larger one. */
export const SLOTS = 8
/** Five callers a slot: enough to fill all of them when answers get slow. */
export const CALLERS = 40
/** What a light question should take alone, in ms: long enough that the engine computes, and not the demo. */
export const LIGHT_MS = 40
/** The share of the processors that the callers keep busy while all is well. */
const USE = 0.75
/** What a light question takes beside the others, as a multiple of what it takes alone. */
const BESIDE_OTHERS = 1.5

/** Threads of a light question: eight of them could keep each processor busy four times over. */
export const lightThreads = (cores: number): number => Math.max(1, Math.floor(cores / 2))

/** Threads of the job: as many as eight questions have in all, so that it gets half of the processors beside eight of them, and two thirds beside four. */
export const jobThreads = (cores: number): number => 4 * cores

/** So many thousands that it should take that long, where a trial took so long. */
export function scaled(trialThousands: number, trialMs: number, wantedMs: number): number {
  return Math.max(1, Math.round((trialThousands * wantedMs) / trialMs))
}

/** How long callers pause, so that all of them keep the processors as busy as they should. */
export function pauseFor(cores: number, lightMs: number): number {
  const perSecond = (USE * cores * 1000) / (lightMs * lightThreads(cores))
  return Math.max(10, (CALLERS / perSecond) * 1000 - BESIDE_OTHERS * lightMs)
}
