// What check-packages.mjs does with @sluice/fetch/react where there is a React.

/** The oldest React that it works under, and its types. */
export const REACT = ['react@18.3.1', 'react-dom@18.3.1', '@types/react@18.3.32']

const imports = [
  "import { createPageFetch } from '@sluice/fetch/page'",
  "import { queryDefaults, RetryBanner, refetchEvery, useRetryState } from '@sluice/fetch/react'",
]

/** Compiles as it stands. */
export const TYPES = [
  ...imports,
  'const fetch = createPageFetch()',
  'export const Count = () => <p>{useRetryState(fetch.waiting).waiting.length}</p>',
  'export const banner = <RetryBanner calls={fetch.waiting} className={undefined} message={({ message }) => message} />',
  'export const options = [queryDefaults.queries.retry, refetchEvery(1000)({ state: { error: null } })]',
].join('\n')

/** Prints {@link PRINTS}. */
export const PROGRAM = [
  ...imports,
  "import { createElement as h } from 'react'",
  "import { renderToString } from 'react-dom/server'",
  'console.log(renderToString(h(RetryBanner, { calls: createPageFetch().waiting })))',
  'const retry = queryDefaults.queries.retry(0, new TypeError())',
  'console.log(retry, refetchEvery(1000)({ state: { error: null } }), typeof useRetryState)',
].join('\n')
export const PRINTS = '<div role="status" class="sluice-retry-banner"></div>\nfalse 1000 function\n'
