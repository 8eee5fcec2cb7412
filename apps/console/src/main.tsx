import { createPageFetch, systemClock } from '@sluice/fetch/page'
import { createRoot } from 'react-dom/client'
import { App } from './page/app.js'
import { ErrorBoundary } from './page/error-boundary.js'
import { keepFocus } from './page/keep-focus.js'
import type { Means } from './page/means.js'
import './style/index.css'

const times = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hourCycle: 'h23' })

const means: Means = {
  clock: systemClock,
  random: Math.random,
  fetch: createPageFetch(),
  place: window,
  isHidden: () => document.hidden,
  timeOf: (second) => times.format(second * 1000),
}

const root = document.getElementById('root')
if (root !== null) {
  keepFocus(root)
  createRoot(root).render(
    <ErrorBoundary onReload={() => location.reload()}>
      <App means={means} />
    </ErrorBoundary>,
  )
}
