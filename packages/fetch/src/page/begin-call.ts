import { type Clock, type FailureClass, outcomeOf } from '@sluice/core'
import { onAbort } from '@sluice/core/adapter'
import type { CallScope } from '../call-scope.js'
import type { RequestSource } from '../request-source.js'
import { withoutSecrets } from '../without-secrets.js'
import { noteAborted, noteClass } from './ends.js'
import type { LoginWatch } from './login-watch.js'
import type { PageLife } from './page-life.js'
import type { PageLike } from './page-like.js'
import type { Superseding } from './superseding.js'
import { waitForOnline } from './wait-for-online.js'

/** The page that a call is made in. */
export interface Surroundings {
  readonly page: PageLike
  readonly clock: Clock
  readonly life: PageLife
  readonly superseding: Superseding
  readonly login: LoginWatch | undefined
  /** Looks at each answer. */
  readonly seen: (response: Response) => void
}

/** What a call wants of the page beside its answer. */
export interface Wishes {
  /** The call takes the place of an earlier one of this key. */
  supersede?: string | undefined
  /** It goes on when the page is left. */
  outlivesPage?: boolean
}

/**
 * Begins a call in a page: ends it when its caller says so (R11), when the page is left, or when a later call takes its
 * place (U2), all of them until the body of its answer is over.
 */
export function beginCall(
  { signal: callers, url }: RequestSource,
  { page, clock, life, superseding, login, seen }: Surroundings,
  { supersede, outlivesPage }: Wishes = {},
): CallScope {
  const controller = new AbortController()
  const { signal } = controller
  const abort = (reason: unknown): void => {
    noteAborted(reason) // here: whoever reads a body hears of it after the call has settled
    controller.abort(reason)
  }
  const ends: (() => void)[] = []
  if (callers?.aborted) abort(callers.reason)
  else if (callers) ends.push(onAbort(callers, () => abort(callers.reason)))
  if (!outlivesPage) ends.push(life.join(abort))
  if (supersede !== undefined && !signal.aborted) ends.push(superseding.take(supersede, abort))

  let open = 1 // the call itself, and each answer whose body is not over
  const closing = (): (() => void) => {
    let closed = false
    return () => {
      if (closed) return
      closed = true
      if (--open === 0) for (const end of ends) end()
    }
  }
  const over = closing()
  let kind: FailureClass | null = null

  return {
    signal,
    holdBack: (tell) => (failure, go) => {
      const cancel = waitForOnline(page, clock, failure, go)
      if (!cancel) return undefined
      tell(true)
      return () => {
        cancel()
        tell(false)
      }
    },
    answered(response) {
      seen(response)
      open++
      return closing()
    },
    gaveUp(event) {
      kind = event.class
      // U5: not where it was aborted, which says nothing of the server.
      if (event.failure?.kind === 'connect' && event.reason !== 'aborted') login?.failed(withoutSecrets(url))
    },
    settled(end) {
      if (outcomeOf(end)?.reason === null) login?.succeeded(withoutSecrets(url))
      else if (kind && end !== signal.reason) noteClass(end, kind)
      over()
    },
  }
}
