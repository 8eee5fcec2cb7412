// A script of a worker: the parts that are no components.
import { queryDefaults, refetchEvery } from '@sluice/fetch/react'

const waitMs = refetchEvery(1000)({ state: { error: { retryAfterMs: 5000 } } })
postMessage([typeof window, queryDefaults.mutations.retry, waitMs])
