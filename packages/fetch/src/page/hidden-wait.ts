import { type Logger, statedWait } from '@sluice/core'

const HINT =
  'a 429 of another origin stated no wait that this page may read; if the server sends Retry-After, let it send "Access-Control-Expose-Headers: Retry-After" too'

/**
 * Says once that a wait may be hidden: a browser shows a page few headers of another origin's answers. What is hidden
 * is as good as absent, so such a call waits a time of its own (R7).
 */
export function hiddenWaitHint(logger: Logger | undefined): (response: Response) => void {
  let told = logger === undefined
  return ({ status, type, headers }) => {
    if (told || status !== 429 || type !== 'cors' || statedWait(headers, true, 0) !== null) return
    told = true
    logger?.warn(HINT)
  }
}
