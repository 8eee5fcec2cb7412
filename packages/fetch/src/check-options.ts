import type { FetchOptions } from './options.js'

const OPTIONS: Record<keyof FetchOptions, true> = {
  policy: true,
  fetch: true,
  idempotent: true,
  idempotencyKey: true,
  retryBudget: true,
  onRetry: true,
  onGiveUp: true,
  logger: true,
  clock: true,
  random: true,
}

/** @throws TypeError for an option there is none of: such as a field of the policy that was not put into one */
export function checkOptions(options: FetchOptions): void {
  for (const name of Object.keys(options))
    if (!Object.hasOwn(OPTIONS, name))
      throw new TypeError(
        `createFetch: there is no option ${name}; options are ${Object.keys(OPTIONS).join(', ')}, and fields of a policy go into policy: retryPolicy({ … })`,
      )
}
