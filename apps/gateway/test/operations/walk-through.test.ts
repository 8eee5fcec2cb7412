import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startClickHouse, startZooKeeper, type TestClickHouse, type TestProcess } from '../nodes/servers.js'
import { until } from '../running-gateway.js'
import { freePort } from './free-port.js'
import { OPERATIONS_PAGE, patternOf, sectionOf, stepsOf } from './page.js'
import { Sender, sentAs } from './sender.js'
import { Shell } from './shell.js'

const steps = stepsOf(sectionOf(OPERATIONS_PAGE, '## From embedded to a cluster'))
const folder = mkdtempSync(join(tmpdir(), 'sluice-operations-'))
let shell: Shell
let zooKeeper: TestProcess
let servers: readonly TestClickHouse[] = []
let port = 0
let senders: readonly Sender[] = []

beforeAll(async () => {
  shell = new Shell(folder)
  expect(await shell.run('command -v curl'), 'install it: apt-get install -y curl').toMatch(/\/curl$/)
  port = await freePort()
  zooKeeper = await startZooKeeper()
  servers = await Promise.all([1, 2].map(() => startClickHouse({ zooKeeper })))
})
afterAll(async () => {
  for (const sender of senders) sender.abandon() // where the way came to no end
  await shell.close()
  await Promise.all(servers.map((server) => server.close()))
  await zooKeeper?.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** The page's addresses and password are those of the servers here. */
const here = (text: string): string =>
  text
    .replaceAll('8787', String(port))
    .replaceAll('its password', servers[0]?.password ?? '')
    .replace(/http:\/\/ch-(\d):8123/g, (_, n) => servers[n - 1]?.url ?? '')

/** @returns what it printed */
async function carryOut(step: (typeof steps)[number]): Promise<string> {
  if (step.kind === 'file') {
    writeFileSync(join(folder, step.name), here(step.content))
    return ''
  }
  const printed = await shell.run(here(step.command))
  expect(printed, step.command).toMatch(patternOf(step.prints))
  return printed
}

const secretOf = (name: string): string => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')).secret

/** Whether the engine has some of what was sent. */
async function isSomeWritten(): Promise<boolean> {
  const headers = { authorization: `Bearer ${secretOf('operator')}` }
  const { freshness } = await (await fetch(`http://127.0.0.1:${port}/v1/datasources/clicks`, { headers })).json()
  return freshness.written_at !== null
}

it('docs/operations.md leads from an embedded engine to a cluster: what senders sent all the while is there, once', async () => {
  const defined = steps.findIndex((it) => it.kind === 'command' && it.command.includes('datasources/clicks -d'))
  for (const step of steps.slice(0, defined + 1)) await carryOut(step)
  const url = `http://127.0.0.1:${port}/v1/datasources/clicks/events`
  senders = [1, 1_000_001].map((from) => new Sender(url, secretOf('shop'), from))
  await until('some of it is in the embedded engine', isSomeWritten)
  const printed: string[] = []
  for (const step of steps.slice(defined + 1)) printed.push(await carryOut(step))
  await Promise.all(senders.map((sender) => sender.stop()))

  const sent = senders.flatMap(({ acknowledged }) => acknowledged).sort((one, other) => one - other)
  const sql = 'SELECT id, toString(time) AS time, path FROM s_default__default.clicks ORDER BY id FORMAT JSONEachRow'
  for (const server of servers) {
    const rows = async () => (await server.sql(sql)).split('\n')
    await until('all of it is there', async () => (await rows()).length >= sent.length)
    const found = (await rows()).map((row) => JSON.parse(row))
    expect(found.map(({ id, ...row }) => ({ id: Number(id), ...row }))).toEqual(sent.map(written))
  }
  // All that the way leads through was there: rows to copy, twice the same, and two times without a gateway.
  const [copied, again] = printed.flatMap((text) => /^([1-9]\d*) rows$/.exec(text)?.[1] ?? [])
  expect(copied).toBe(again)
  expect(Number(copied)).toBeLessThan(sent.length)
  expect(Math.min(...senders.map(({ repeated }) => repeated))).toBeGreaterThan(0)
}, 180_000)

/** As ClickHouse writes it. */
function written(id: number): object {
  const { time, ...row } = sentAs(id)
  return { ...row, time: time.replace('T', ' ').replace('Z', '') }
}
