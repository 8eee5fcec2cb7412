import type { PageLike } from './page-like.js'
import { ReloadMark } from './reload-mark.js'
import { UnsavedInput } from './unsaved-input.js'

export interface ReloadOptions {
  /** Reload although somebody has typed something, which is then lost. Default false. */
  evenWithInput?: boolean
}

/** A call failed since the login that a reverse proxy asks for has expired. */
export interface LoginExpired {
  /** Of that call, without query and fragment. */
  readonly url: string
  /**
   * Reloads the page, so that the proxy shows its login, and never a second time before that very URL has answered
   * again. Does nothing where something was typed that is not sent yet.
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
  #checking = false
  /** Whether an expired login has been told, and nothing has worked since. */
  #told = false

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
    const { location, navigator } = this.#page
    if (this.#checking || this.#told || !location || navigator?.onLine === false) return
    this.#checking = true
    try {
      const check = new URL(this.#checkUrl ?? location.href, location.href)
      check.hash = ''
      this.#told = await this.#redirects(check.href)
      if (this.#told) this.#expired({ url, reloadOnce: (options) => this.#reloadOnce(url, options) })
    } finally {
      this.#checking = false
    }
  }

  succeeded(url: string): void {
    this.#told = false
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
    if (!location?.reload || (this.#input.any && !evenWithInput) || !this.#mark.set(url)) return false
    location.reload()
    return true
  }
}
