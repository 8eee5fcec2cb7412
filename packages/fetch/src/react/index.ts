export { queryDefaults, refetchEvery } from './query-defaults.js'
export { RetryBanner, type RetryBannerProps } from './retry-banner.js'
export { type RetryState, useRetryState } from './use-retry-state.js'
