import { context, propagation } from '@opentelemetry/api'

/**
 * The W3C headers of the span that is active, for `.trace()`; nothing where there is none, or no propagator.
 * Not needed where an instrumentation of `fetch` adds them already.
 */
export const openTelemetry = (): Record<string, string> => {
  const headers: Record<string, string> = {}
  propagation.inject(context.active(), headers)
  return headers
}
