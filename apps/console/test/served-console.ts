import { fileURLToPath } from 'node:url'
import {
  flightPipes,
  type Gateway,
  type GatewayStatus,
  integerParameter,
  type Pipe,
  startGateway,
} from '@sluice/gateway'

const SECRETS = {
  plenty: 'token-with-plenty-of-quota',
  short: 'token-that-waits-for-seconds',
  long: 'token-that-waits-for-a-minute',
}
export type Token = keyof typeof SECRETS

/** The built console, served by a real gateway with a real engine. */
export interface ServedConsole extends Gateway {
  /** What the route of the surge answers; null: there is none. */
  surge: { state: string; failure: string | null } | null
  /** How often one was started. */
  readonly started: () => number
  address(token: Token): string
  get(path: string, token?: Token): Promise<Response>
  status(): Promise<GatewayStatus>
  /** Asks until the quota of a token is spent. */
  spend(token: Token): Promise<void>
}

const asleep: Omit<Pipe, 'name'> = {
  description: 'Takes its time.',
  parameters: { tenths: integerParameter({ description: 'For how long.', min: 1, max: 30 }) },
  sql: 'SELECT sum(sleepEachRow(0.1)) AS slept FROM numbers({tenths:UInt32})',
}

export async function serveConsole(): Promise<ServedConsole> {
  let started = 0
  const gateway = await startGateway({
    tokens: Object.entries(SECRETS).map(([name, token]) => ({ name, token, plan: name })),
    plans: {
      plenty: { ratePerSecond: 10_000, burst: 10_000 },
      short: { ratePerSecond: 0.5, burst: 2 },
      long: { ratePerSecond: 0.02, burst: 2 },
    },
    consoleDir: fileURLToPath(new URL('../dist', import.meta.url)),
    pipes: [...flightPipes, { ...asleep, name: 'asleep' }, { ...asleep, name: 'job', pastLimit: true }],
    limit: { maxConcurrent: 4, windowMs: 200, minSamples: 5, expectedP90Ms: 1000 },
    routes: {
      '/demo/surge'(request) {
        if (self.surge === null) return new Response(null, { status: 404 })
        if (request.method === 'POST') started += 1
        return Response.json(self.surge)
      },
    },
  })
  const get = (path: string, token: Token = 'plenty'): Promise<Response> =>
    fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${SECRETS[token]}` } })
  const self: ServedConsole = {
    ...gateway,
    surge: null,
    started: () => started,
    address: (token) => `${gateway.url}/#token=${SECRETS[token]}`,
    get,
    status: async () => (await (await get('/v1/status')).json()) as GatewayStatus, // held to its contract by its tests
    async spend(token) {
      while ((await get('/v1/status', token)).status !== 429);
    },
  }
  return self
}
