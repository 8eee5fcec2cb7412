import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningGateway, run } from './running-gateway.js'

interface Flight {
  readonly date: string
  readonly delay: number
  readonly distance: number
  readonly origin: string
  readonly destination: string
}

/** The same file, counted here in plain JavaScript. */
const file = createRequire(import.meta.url)
  .resolve('vega-datasets')
  .replace(/build.index\.js$/, 'data/flights-20k.json')
const flights: readonly Flight[] = JSON.parse(readFileSync(file, 'utf8'))

function groupBy(key: (flight: Flight) => string): Map<string, Flight[]> {
  const groups = new Map<string, Flight[]>()
  for (const flight of flights) {
    const group = groups.get(key(flight))
    if (group === undefined) groups.set(key(flight), [flight])
    else group.push(flight)
  }
  return groups
}

const mean = (group: readonly Flight[]) => group.reduce((sum, it) => sum + it.delay, 0) / group.length
const byText = (a: string, b: string) => (a < b ? -1 : 1)

describe('the figures of the pipes', () => {
  let gateway: RunningGateway
  beforeAll(async () => {
    gateway = await run()
  })
  afterAll(() => gateway.close())

  const ask = async (path: string) => {
    const response = await gateway.get(`/v1/pipes/${path}`)
    const body = await response.json()
    expect(response.status, JSON.stringify(body)).toBe(200)
    return body
  }

  it('flights_per_day counts every flight of every day', async () => {
    const { data, rows } = await ask('flights_per_day')
    const days = [...groupBy((it) => it.date.slice(0, 10).replaceAll('/', '-'))].sort(([a], [b]) => byText(a, b))
    expect(rows).toBe(90)
    expect(data.map((it: { day: string; flights: string }) => [it.day, it.flights])).toEqual(
      days.map(([day, group]) => [day, String(group.length)]),
    )
    data.forEach((it: { mean_delay: number }, index: number) => {
      expect(it.mean_delay).toBeCloseTo(mean(days[index]?.[1] ?? []), 1)
    })
  })

  it('flights_per_day includes both ends of its range, and an empty one has no rows', async () => {
    const { data } = await ask('flights_per_day?from=2001-01-31&to=2001-02-01')
    expect(data.map((it: { day: string }) => it.day)).toEqual(['2001-01-31', '2001-02-01'])
    expect(await ask('flights_per_day?from=1999-01-01&to=1999-12-31')).toMatchObject({ data: [], rows: 0 })
  })

  it('delays_by_airport agrees for one airport and for all', async () => {
    const atlanta = flights.filter((it) => it.origin === 'ATL')
    const { data } = await ask('delays_by_airport?origin=ATL')
    expect(data).toEqual([
      {
        origin: 'ATL',
        flights: String(atlanta.length),
        late: String(atlanta.filter((it) => it.delay > 0).length),
        mean_delay: expect.closeTo(mean(atlanta), 1),
        worst_delay: Math.max(...atlanta.map((it) => it.delay)),
      },
    ])
    const all = await ask('delays_by_airport?limit=1000')
    expect(all.rows).toBe(new Set(flights.map((it) => it.origin)).size)
    const total = all.data.reduce((sum: number, it: { flights: string }) => sum + Number(it.flights), 0)
    expect(total).toBe(20_000)
  })

  it('busiest_routes has the right order and stops at its limit', async () => {
    const routes = [...groupBy((it) => `${it.origin}-${it.destination}`)]
    routes.sort(([a, x], [b, y]) => y.length - x.length || byText(a, b))
    const { data } = await ask('busiest_routes?limit=25')
    expect(data.map((it: Record<string, unknown>) => [`${it.origin}-${it.destination}`, it.flights, it.miles])).toEqual(
      routes.slice(0, 25).map(([name, group]) => [name, String(group.length), group[0]?.distance]),
    )
  })

  it('delay_quantiles agrees with the sorted delays', async () => {
    const delays = flights.filter((it) => it.origin === 'LAX').map((it) => it.delay)
    delays.sort((a, b) => a - b)
    const at = (level: number) => delays[Math.floor(level * delays.length)]
    const { data } = await ask('delay_quantiles?origin=LAX')
    expect(data).toEqual([{ flights: String(delays.length), p50: at(0.5), p90: at(0.9), p99: at(0.99) }])
  })

  it('a value that looks like SQL is just a value', async () => {
    for (const origin of [
      "ATL' OR '1'='1",
      "'; DROP TABLE flights; --",
      '\\',
      "\\'",
      '{limit:UInt32}',
      'ATL\t',
      '\0',
    ]) {
      const query = new URLSearchParams({ origin })
      expect(await ask(`delay_quantiles?${query}`)).toMatchObject({ data: [], rows: 0 })
      expect(await ask(`delays_by_airport?${query}`)).toMatchObject({ data: [], rows: 0 })
    }
    expect((await ask('delays_by_airport?limit=1000')).rows).toBe(220)
  })

  it('keeps the values of simultaneous queries apart', async () => {
    const origins = [...new Set(flights.map((it) => it.origin))].slice(0, 60)
    const answers = await Promise.all(origins.map((origin) => ask(`delays_by_airport?origin=${origin}`)))
    expect(answers.map((it) => it.data[0].origin)).toEqual(origins)
  })

  it('answers in ClickHouse’s JSON form with the engine’s time, and the node’s beside it', async () => {
    const response = await gateway.get('/v1/pipes/busiest_routes?limit=1')
    const body = await response.json()
    expect(Object.keys(body)).toEqual(['meta', 'data', 'rows', 'rows_before_limit_at_least', 'statistics'])
    expect(body.meta[2]).toEqual({ name: 'flights', type: 'UInt64' })
    const { elapsed, node_elapsed } = body.statistics
    expect(elapsed).toBeGreaterThan(0)
    expect(node_elapsed).toBeGreaterThanOrEqual(elapsed)
    const [, engineMs] =
      /^elapsed;dur=([\d.]+), node;dur=[\d.]+$/.exec(response.headers.get('server-timing') ?? '') ?? []
    expect(Number(engineMs)).toBeCloseTo(elapsed * 1000, 2)
  })
})
