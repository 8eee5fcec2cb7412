import type { World } from './world.js'

/** Fetches a document as anything else here is fetched: a server that throttles is waited for. Loaded when it is needed. */
export const documentFetch =
  ({ fetch, clock, random }: World): typeof globalThis.fetch =>
  async (input, init) => {
    const { createFetch } = await import('@sluice/fetch')
    return createFetch({ fetch, clock, random })(input, init)
  }
