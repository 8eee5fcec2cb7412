import type { Operation } from '@sluice/openapi'

/** Whether every success that is described is an event stream: it has no end that a tool could answer with. */
export function isEventStream({ responses }: Operation): boolean {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { contentTypes }]) => contentTypes)
  return types.length > 0 && types.every((type) => /^text\/event-stream\b/i.test(type))
}
