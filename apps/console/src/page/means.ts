import type { Clock, PageFetch } from '@sluice/fetch/page'
import type { TokenPlace } from '../token/keep-token.js'

/** What comes from outside. */
export interface Means {
  readonly clock: Clock
  readonly random: () => number
  /** The one fetch of the page. */
  readonly fetch: PageFetch
  /** The window. */
  readonly place: TokenPlace & EventTarget
  /** Whether nobody sees the page. */
  readonly isHidden: () => boolean
  /** A second of the epoch as a time of day. */
  readonly timeOf: (second: number) => string
}
