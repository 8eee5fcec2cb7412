import type { Client } from '../client.js'

/** The columns of the matrix, in order. Loaded on demand, so that a child holds one client alone. */
export const clients: Record<string, () => Promise<Client>> = {
  sluice: async () => (await import('./sluice.js')).client,
  openai: async () => (await import('./openai.js')).client,
  stripe: async () => (await import('./stripe.js')).client,
  octokit: async () => (await import('./octokit.js')).client,
  azure: async () => (await import('./azure.js')).client,
  smithy: async () => (await import('./smithy.js')).client,
  gaxios: async () => (await import('./gaxios.js')).client,
  got: async () => (await import('./got.js')).client,
  ky: async () => (await import('./ky.js')).client,
  'axios-retry': async () => (await import('./axios-retry.js')).client,
  undici: async () => (await import('./undici.js')).client,
  ofetch: async () => (await import('./ofetch.js')).client,
  'fetch-retry': async () => (await import('./fetch-retry.js')).client,
  'p-retry': async () => (await import('./p-retry.js')).client,
  cockatiel: async () => (await import('./cockatiel.js')).client,
}
