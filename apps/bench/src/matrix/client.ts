import type { Finding } from './judge.js'

/** What a probe asks of a client: one call. */
export interface Ask {
  url: string
  method: 'GET' | 'POST'
  /** An `Idempotency-Key`, or nothing. */
  headers: Record<string, string>
  /** JSON, with POST. */
  body: string | undefined
  /** Given to the client wherever it takes one. */
  signal: AbortSignal
  /** Names the call: for clients that keep state beside the call, so that probes do not meet. */
  id: string
}

/** What the caller got that is an answer, whether the client returned or threw it. Where there is none the call rejects. */
export interface Answer {
  status: number
  /** `Retry-After` as the caller can read it, else null. */
  retryAfter: string | null
  /** The body as the caller can read it, else null. */
  body: string | null
}

export type Call = (ask: Ask) => Promise<Answer>

export type ConfigurationName = 'defaults' | 'best'

export interface Configuration {
  /** What is set, as code: what a reader would have to write. */
  setup: string
  call: Call
}

/** A difference that the maintainers document. It turns a ✗ of that finding into a ~, and no other. */
export interface Choice {
  probes: string[]
  finding: Finding
  /** Default: both configurations. */
  in?: ConfigurationName
  says: string
  source: string
}

/** What can be said of a client without running it. */
export interface About {
  id: string
  name: string
  /** npm packages whose versions are recorded; the first is the client's own. */
  packages: string[]
  /** The maintainers' documentation of retries. */
  docs: string[]
  /** What a reader should know about how it is set up here. */
  notes: string[]
  choices: Choice[]
  /** Probes that say nothing about this client, and why. */
  notApplicable?: { probes: string[]; why: string }[]
  /** The failure bodies of the service the client is made for: some clients look into them. */
  dialect?: 'openai' | 'stripe' | 'github'
}

export interface Client {
  about: About
  configurations: Record<ConfigurationName, Configuration>
}
