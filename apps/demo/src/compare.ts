import type { Clock } from '@sluice/core'
import type { Client } from './clients/client.js'
import { doubtsAbout } from './doubts.js'
import { type Figures, play, type Stage } from './play.js'
import type { Service } from './service.js'
import { workFor } from './work.js'

/** The clients' figures, and what speaks against them. */
export interface Comparison {
  readonly figures: readonly Figures[]
  readonly doubts: readonly string[]
}

/** What to compare, and with what. */
export interface CompareOptions {
  readonly clients: readonly Client[]
  readonly calls: number
  readonly clock: Clock
  readonly random: () => number
  readonly signal: AbortSignal
  readonly onStage: (stage: Stage) => void
}

/** Lets one client after the other do the same work, each with the whole quota of a token of its own. */
export async function compare(service: Service, options: CompareOptions): Promise<Comparison> {
  const { clients, calls, ...rest } = options
  const urls = workFor(calls).map((path) => service.url + path)
  const figures: Figures[] = []
  const doubts: string[] = []
  for (const client of clients) {
    const of = await play(client, { ...rest, urls, token: service.secretOf(client.id), fetch: globalThis.fetch })
    figures.push(of)
    doubts.push(...doubtsAbout(of, service.countOf(client.id)))
  }
  return { figures, doubts }
}
