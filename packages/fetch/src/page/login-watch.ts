import { baseUrl } from '../base-url.js'
import { addressOf, type PageLike } from './page-like.js'
import { ReloadMark } from './reload-mark.js'
import { UnsavedInput } from './unsaved-input.js'

export interface ReloadOptions {
  /** Reload although somebody has typed something, which is then lost. Default false. */
  evenWithInput?: boolean | undefined
}

/** A call failed since the login that a reverse proxy asks for has expired. */
export interface LoginExpired {
  /** Of that call, without query and fragment. */
  readonly url: string
  /**
   * Reloads the page, so that the proxy shows its login; the page that comes of it not again before that very URL has
   * answered. Does nothing where something was typed that is not sent yet.
   * @returns whether it reloads
   */
  reloadOnce(options?: ReloadOptions): boolean
}

/** Finds out whether calls fail because of an expired login (U5). */
export class LoginWatch {
  readonly #page: PageLike
  readonly #send: typeof fetch
  readonly #checkUrl: string | URL | undefined
  readonly #expired: (expired: LoginExpired) => void
  readonly #mark: ReloadMark
  readonly #input: UnsavedInput
  /** The origin whose calls fail: it is being found out why, or has been told, and nothing there has worked since. */
  #failing: { origin: string } | undefined

  constructor(
    page: PageLike,
    send: typeof fetch,
    {
      onLoginExpired,
      loginCheckUrl,
    }: { onLoginExpired: (expired: LoginExpired) => void; loginCheckUrl?: string | URL | undefined },
  ) {
    this.#page = page
    this.#send = send
    this.#checkUrl = loginCheckUrl
    this.#expired = onLoginExpired
    this.#mark = new ReloadMark(page)
    this.#input = new UnsavedInput(page)
  }

  /** A call got no answer, to the end. One check serves all that fail together, and what it finds is told once. */
  async failed(url: string): Promise<void> {
    const { origin, navigator } = this.#page
    const address = addressOf(this.#page)
    if (this.#failing || address === undefined || navigator?.onLine === false) return
    const failing = { origin: new URL(url, baseUrl(this.#page)).origin }
    this.#failing = failing
    const check = new URL(this.#checkUrl ?? address, address)
    // A sandboxed frame is of no origin and sends no cookies: it is led to the login whenever it asks.
    if ((origin ?? check.origin) !== check.origin) return
    check.hash = ''
    const led = await this.#redirects(check.href)
    if (this.#failing !== failing) return // a call succeeded meanwhile
    if (led) this.#expired({ url, reloadOnce: (options) => this.#reloadOnce(url, options) })
    else this.#failing = undefined
  }

  succeeded(url: string): void {
    // What another origin answers says nothing of the one behind the proxy.
    if (this.#failing && this.#failing.origin === new URL(url, baseUrl(this.#page)).origin) this.#failing = undefined
    this.#mark.clear(url)
  }

  /** Whether the page's own server leads elsewhere: a script may not know where to, but that it does. */
  async #redirects(url: string): Promise<boolean> {
    try {
      const response = await this.#send(url, {
        ...{ redirect: 'manual', cache: 'no-store', credentials: 'same-origin' },
        headers: { accept: 'text/html' }, // as the reload will ask; proxies answer a script with 401 otherwise
      })
      response.body?.cancel().catch(() => {})
      return response.type === 'opaqueredirect'
    } catch {
      return false // the server is down, or the page was left
    }
  }

  #reloadOnce(url: string, { evenWithInput = false }: ReloadOptions = {}): boolean {
    const { location } = this.#page
    // A frame that has no address would come back as it is, or empty.
    if (!location?.reload || location.href !== addressOf(this.#page)) return false
    if ((this.#input.any && !evenWithInput) || !this.#mark.set(url)) return false
    location.reload()
    return true
  }
}
