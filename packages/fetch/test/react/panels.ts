// Runs in a page: so many panels, each a query through our fetch, and one banner above them.
import { createPageFetch, pagePolicy, type RetryPolicyOptions, retryPolicy, userMessage } from '@sluice/fetch/page'
import { queryDefaults, RetryBanner, refetchEvery } from '@sluice/fetch/react'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { createElement as h, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'

export interface PanelsOptions {
  policy?: RetryPolicyOptions
  /** Without {@link queryDefaults}: as TanStack Query has it, but that it waits no second between its own retries. */
  stock?: boolean
  refetchEveryMs?: number
}

/** What there was to see, from one change of the page to the next. */
export interface Seen {
  /** What the banner said, one after the other. */
  said: string[]
  /** The most panels that were red at a time. */
  red: number
  /** What the panels say now. */
  panels: string[]
}

interface PanelProps {
  n: number
  fetch: typeof globalThis.fetch
  refetchEveryMs: number | undefined
}

function Panel({ n, fetch, refetchEveryMs }: PanelProps): ReactElement {
  const { data, error } = useQuery({
    queryKey: ['panel', n],
    async queryFn({ signal }) {
      const response = await fetch(`/api/panel/${n}`, { signal })
      if (!response.ok) throw new Error('no data', { cause: response })
      return response.text()
    },
    refetchInterval: refetchEveryMs === undefined ? false : refetchEvery(refetchEveryMs),
  })
  return h('section', { className: error ? 'red' : '' }, error ? userMessage(error) : (data ?? 'Loading…'))
}

/** @returns a function that tells what there was to see so far */
export function showPanels(main: Element, count: number, { policy, stock, refetchEveryMs }: PanelsOptions): () => Seen {
  const fetch = createPageFetch(policy && { policy: retryPolicy(policy, pagePolicy) })
  const client = new QueryClient({ defaultOptions: stock ? { queries: { retryDelay: 10 } } : queryDefaults })

  const seen: Seen = { said: [], red: 0, panels: [] }
  const look = (): Seen => {
    const said = main.querySelector('[role=status]')?.textContent ?? 'no banner'
    if (seen.said.at(-1) !== said) seen.said.push(said)
    seen.red = Math.max(seen.red, main.querySelectorAll('.red').length)
    seen.panels = [...main.querySelectorAll('section')].map(({ textContent }) => textContent ?? '')
    return seen
  }
  new MutationObserver(look).observe(main, { attributes: true, characterData: true, childList: true, subtree: true })

  const panels = Array.from({ length: count }, (_, n) => h(Panel, { n, fetch, refetchEveryMs, key: n }))
  createRoot(main).render(h(QueryClientProvider, { client }, h(RetryBanner, { calls: fetch.waiting }), panels))
  const waiting = (): number => fetch.waiting.getSnapshot().filter(({ inFlight }) => !inFlight).length
  Object.assign(globalThis, { waiting })
  return look
}
