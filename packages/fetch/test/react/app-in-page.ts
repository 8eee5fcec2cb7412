// A script of a page: the parts in a real document, for tests to use by hand.
import { VirtualClock } from '@sluice/core/testing'
import type { WaitingCall, WaitingCalls } from '@sluice/fetch/page'
import { RetryBanner, type RetryBannerProps } from '@sluice/fetch/react'
import { act, createElement as h, StrictMode, version } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { type PanelsOptions, type Seen, showPanels } from './panels.js'

type Class = WaitingCall['class']

/** A store of waiting calls whose content is set by hand. */
class HandStore implements WaitingCalls {
  readonly listeners: Set<() => void> = new Set()
  #calls: readonly WaitingCall[] = []
  readonly getSnapshot = (): readonly WaitingCall[] => this.#calls
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  set(...classes: Class[]): void {
    const call = { method: 'GET', url: '/', status: 429, attempt: 2, untilMs: 0, inFlight: false, offline: false }
    this.#calls = classes.map((kind, id) => ({ ...call, id, class: kind }))
    for (const listener of this.listeners) listener()
  }
}

const newMain = (html = ''): HTMLElement => {
  const main = document.createElement('main')
  main.innerHTML = html
  document.body.replaceChildren(main)
  return main
}

/** What was said by a banner, and what it was before, and left behind. */
export interface Said {
  /** Each text that came into it, in virtual ms: what a screen reader reads. */
  heard: [atMs: number, text: string][]
  before: string
  after: string
  /** Whether it was one element all the time. */
  same: boolean
  /** Timers and subscriptions after it was unmounted, while something waited. */
  left: number[]
}

let look: () => Seen

const app = {
  version: version as string,

  /** Plays which calls wait from when on, in virtual ms. */
  async say(
    steps: [fromMs: number, ...waiting: Class[]][],
    props: Omit<RetryBannerProps, 'calls' | 'clock'> = {},
  ): Promise<Said> {
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
    const [clock, calls, main, heard] = [new VirtualClock(), new HandStore(), newMain(), [] as Said['heard']]
    const root = createRoot(main)
    await act(async () => root.render(h(StrictMode, null, h(RetryBanner, { calls, clock, ...props }))))
    const banner = main.firstElementChild
    if (!banner) throw new Error('there is no banner')
    const before = banner.outerHTML
    new MutationObserver(() => heard.push([clock.now(), banner.textContent ?? ''])).observe(banner, {
      ...{ childList: true, characterData: true, subtree: true },
    })
    const advanceTo = async (ms: number): Promise<void> => {
      while (clock.now() < ms) await act(() => clock.advance(1))
    }
    for (const [fromMs, ...waiting] of steps) {
      await advanceTo(fromMs)
      await act(async () => {
        calls.set(...waiting)
        await clock.advance(0)
      })
    }
    await advanceTo(clock.now() + 1100)
    const [after, same] = [banner.outerHTML, main.firstChild === banner && main.childNodes.length === 1]
    await act(async () => calls.set('transient'))
    await act(async () => root.unmount())
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
    return { heard, before, after, same, left: [clock.pending(), calls.listeners.size] }
  },

  /** A banner of its own, on the page's clock; `wait()` lets a call wait, or none. */
  show(html?: string): { errors: string[]; wait(...waiting: Class[]): void } {
    const [calls, main, errors] = [new HandStore(), newMain(html), [] as string[]]
    const banner = h(StrictMode, null, h(RetryBanner, { calls, showAfterMs: 0 }))
    console.error = (...words) => errors.push(words.join(' '))
    if (html === undefined) createRoot(main).render(banner)
    else hydrateRoot(main, banner, { onRecoverableError: (error) => errors.push(String(error)) })
    return { errors, wait: (...waiting) => calls.set(...waiting) }
  },

  panels(count: number, options: PanelsOptions): void {
    look = showPanels(newMain(), count, options)
  },

  seen: (): Seen => look(),
}

export type App = typeof app
Object.assign(globalThis, { app })
