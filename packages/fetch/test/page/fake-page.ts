import type { PageLike } from '@sluice/fetch/page'

/** A form field of a {@link FakePage}. */
export class FakeField extends EventTarget {
  isConnected = true
  checked = false
  defaultChecked = false
  type = 'text'
  value: string | undefined = ''
  defaultValue = ''
  textContent: string | null = null
  /** An image in an editable element. */
  img: object | null = null

  cloneNode(): FakeField {
    return new FakeField()
  }

  querySelector(): object | null {
    return this.img
  }
}

/** As much of a page as the adapter looks at. */
export class FakePage extends EventTarget implements PageLike {
  origin?: string
  readonly navigator: { onLine: boolean } = { onLine: true }
  readonly listeners: Map<string, number> = new Map()
  readonly stored: Map<string, string> = new Map()
  readonly fields: FakeField[] = []
  reloads = 0
  readonly location: { href: string; reload(): void } = {
    href: 'https://app.test/search?q=secret#top',
    reload: () => void this.reloads++,
  }
  readonly sessionStorage: NonNullable<PageLike['sessionStorage']> = {
    getItem: (name: string): string | null => this.stored.get(name) ?? null,
    setItem: (name: string, value: string): void => void this.stored.set(name, value),
    removeItem: (name: string): void => void this.stored.delete(name),
  }
  readonly #document = new EventTarget()
  readonly document: NonNullable<PageLike['document']> & { visibilityState: string; baseURI?: string } = {
    addEventListener: this.#document.addEventListener.bind(this.#document),
    querySelectorAll: () => this.fields,
    visibilityState: 'visible',
  }

  override addEventListener(...args: Parameters<EventTarget['addEventListener']>): void {
    this.listeners.set(args[0], (this.listeners.get(args[0]) ?? 0) + 1)
    super.addEventListener(...args)
  }

  override removeEventListener(...args: Parameters<EventTarget['removeEventListener']>): void {
    this.listeners.set(args[0], (this.listeners.get(args[0]) ?? 0) - 1)
    super.removeEventListener(...args)
  }

  goOffline(): void {
    this.navigator.onLine = false
    this.dispatchEvent(new Event('offline'))
  }

  goOnline(): void {
    this.navigator.onLine = true
    this.dispatchEvent(new Event('online'))
  }

  /** Leaves it; the browser may keep it for later. */
  leave(): void {
    this.dispatchEvent(new Event('pagehide'))
  }

  comeBack(): void {
    this.dispatchEvent(new Event('pageshow'))
  }

  /** Somebody types into a field of this page, or of a part of it whose fields nobody finds. */
  type(text: string, findable = true, field: FakeField = new FakeField()): FakeField {
    field.value = field.defaultValue = text // as frameworks do
    return this.touch(field, findable)
  }

  touch(field: FakeField, findable = true): FakeField {
    if (findable) this.fields.push(field)
    const event = new Event('input')
    Object.defineProperty(event, 'composedPath', { value: () => [field] })
    this.#document.dispatchEvent(event)
    return field
  }
}
