// Runs in the page: replays what it is handed, through the entry that pages import.
import { type CaseResult, runCase, type Subject, type TableEntry } from '@sluice/conformance'
import { type SubjectCall, type SubjectEnd, shareOfTable } from '@sluice/core/conformance'
import { VirtualClock } from '@sluice/core/testing'
import * as page from '@sluice/fetch/page'
import { limitOf } from '../limit-subject.js'
import { playCall } from '../play-call.js'

/**
 * Half a million times the virtual clock gives way to what has become runnable. A message of the page's own event loop
 * is slow for that. A limiter works with promises alone, so that a few rounds of those will do.
 */
const { port1, port2 } = new MessageChannel()
const turns: (() => void)[] = []
port1.onmessage = () => turns.shift()?.()
const loopTurn = (run: () => void): void => {
  turns.push(run)
  port2.postMessage(null)
}
const promiseTurn = async (run: () => void): Promise<void> => {
  for (let i = 0; i < 50; i++) await undefined
  run()
}

/** Answers that nobody reads: one that is collected has its body let go of, which would count. */
const kept: Response[] = []

/** The entry, with its own fetch in the place of the plain one. */
const sluice = {
  ...page,
  createFetch(options?: page.PageFetchOptions): page.SluiceFetch {
    const fetch = page.createPageFetch(options)
    const keeping: typeof globalThis.fetch = async (input, init) => {
      const response = await fetch(input, init)
      kept.push(response)
      return response
    }
    return Object.assign(keeping, fetch)
  },
}

const subject: Subject = {
  call: (call) => playCall(call, sluice),
  limit: (config, clock, saved) => limitOf(config, clock, sluice, saved),
  share: (shared, clock) => shareOfTable(shared, clock, sluice, (call, sharing) => playCall(call, sluice, sharing)),
}

const inPage = {
  async replay(entries: TableEntry[]): Promise<CaseResult[]> {
    const results: CaseResult[] = []
    const limiter = entries[0]?.suite === 'backoff-scenarios'
    Object.assign(globalThis, { setImmediate: limiter ? promiseTurn : loopTurn })
    for (const one of entries) {
      results.push(await runCase(one, subject, (wallNow) => new VirtualClock(wallNow)))
      kept.length = 0
    }
    return results
  },

  /** One call over the network, on the system's clock. */
  async call({ policy, request }: Pick<SubjectCall, 'policy' | 'request'>): Promise<SubjectEnd> {
    const { signal } = new AbortController()
    const means = { fetch: globalThis.fetch.bind(globalThis), clock: page.systemClock, random: Math.random, signal }
    const end = await playCall({ policy, request, ...means }, sluice)
    // R3: a browser says nothing of what failed, so that there is one word for it.
    return 'failure' in end && end.failure === 'network' ? { ...end, failure: 'connect' } : end
  },
}

export type InPage = typeof inPage
Object.assign(globalThis, { inPage })
