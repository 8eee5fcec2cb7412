// A program of a server: what it renders.
import { createPageFetch } from '@sluice/fetch/page'
import { RetryBanner } from '@sluice/fetch/react'
import { createElement, StrictMode, version } from 'react'
import { renderToString } from 'react-dom/server'

const { waiting } = createPageFetch()
const banner = createElement(RetryBanner, { calls: waiting, className: 'notice' })
console.log(version, typeof document, renderToString(createElement(StrictMode, null, banner)))
