import type { Failure } from '@sluice/core'

const WHAT = { connect: 'Connection failed', timeout: 'No answer in time', final: 'This failure' }

/** `HTTP 503`, `Connection failed` */
export const describeFailure = (failure: Failure): string =>
  failure.kind === 'status' ? `HTTP ${failure.status}` : WHAT[failure.kind]
