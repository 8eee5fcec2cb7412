import type { End } from '@sluice/core/words'

/** S1: a script can tell "come back later" from everything else. */
export const THROTTLED_EXIT_CODE = 4

/** The exit code of an end (S1): 0, 4 throttled (or as remapped), 130 interrupted, 1 anything else. */
export function exitCodeOf({ kind }: End, throttledExitCode: number = THROTTLED_EXIT_CODE): number {
  if (kind === 'ok') return 0
  if (kind === 'throttled') return throttledExitCode
  return kind === 'aborted' ? 130 : 1
}
