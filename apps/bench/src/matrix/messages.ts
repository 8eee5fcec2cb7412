import type { About, ConfigurationName } from './client.js'

/** What a child is told: one client in one configuration, and the calls to make. */
export interface Job {
  client: string
  configuration: ConfigurationName
  origin: string
  probes: {
    id: string
    path: string
    method: 'GET' | 'POST'
    keyed: boolean
    abortAtMs: number | null
  }[]
}

/** What a child says; times are epoch ms. */
export type Said =
  | { about: About; setup: string }
  | { began: string; atMs: number }
  | { aborted: string; atMs: number }
  | {
      ended: string
      atMs: number
      status: number | null
      retryAfter: string | null
      body: string | null
      error: string | null
    }
  /** An error that reached no caller. */
  | { stray: string }
