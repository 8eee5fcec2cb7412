// One package to install: policies, presets, errors, guards and outcomeOf() are core's.
export * from '@sluice/core'
export { createFetch } from './create-fetch.js'
export { followingRedirects, privateHeaders } from './following-redirects.js'
export type { CallOptions, FetchOptions, SluiceFetch } from './options.js'
export { retryAfterMs } from './retry-after-ms.js'
export type { WaitingCall, WaitingCalls } from './waiting-calls.js'
