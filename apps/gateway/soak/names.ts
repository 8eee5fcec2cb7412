import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GatewayProcess, WRITER } from './gateway-process.js'
import { AUDITED_COLUMNS } from './ledger.js'
import type { Report } from './report.js'

const CONNECTIONS = 8
/** Requests that are sent before their answers are read. */
const AHEAD = 50
/** More than the garbage of many requests would be a leak. */
const MOST_GROWTH_MIB = 64

/** Somebody with a token to write tries names of data sources that there are not: each is 404, and nothing of it stays. */
export async function names(report: Report, count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-soak-names-'))
  const gateway = await GatewayProcess.start({ folder, isQuiet: true })
  const { api } = gateway
  try {
    await api.define('clicks', { columns: AUDITED_COLUMNS })
    const port = Number(new URL(gateway.url).port)
    const statuses = new Map<string, number>()
    let next = 0
    const take = () => Math.min(count, next + AHEAD)
    const told = () => report.progress(`${next} of ${count} names`)
    const connection = async () => {
      while (next < count) {
        const [from, to] = [next, take()]
        next = to
        await inOneGo(port, from, to, statuses)
        told()
      }
    }
    const all = () => Promise.all(Array.from({ length: CONNECTIONS }, connection))
    // So that what is compared has been used once: code that is compiled, pools that are filled.
    const many = count
    count = Math.min(20_000, Math.ceil(many / 10))
    await all()
    await seen(gateway, folder) // its own requests are series too
    const before = await seen(gateway, folder)
    count += many
    await all()
    const after = await seen(gateway, folder)
    const found = [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')
    report.check(
      `${many} names of data sources that there are not, by a writer`,
      [...statuses.keys()].join() === '404',
      found,
    )
    const growth = (after.residentKb - before.residentKb) / 1024
    report.check(
      `… leave no memory behind`,
      growth <= MOST_GROWTH_MIB,
      `${(before.residentKb / 1024).toFixed(0)} MiB before, ${(after.residentKb / 1024).toFixed(0)} after`,
    )
    const things = `${before.series} series of metrics, ${before.files} files, ${before.sources} data source before; ${after.series}, ${after.files}, ${after.sources} after`
    const isSame = before.series === after.series && before.files === after.files && before.sources === after.sources
    report.check('… nor anything else', isSame, things)
  } finally {
    await gateway.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function seen(gateway: GatewayProcess, folder: string) {
  const { api, residentKb } = gateway
  const series = (await api.must('GET', '/metrics'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')).length
  const sources = JSON.parse(await api.must('GET', '/v1/datasources')).data_sources.length
  // What is saved every ten seconds is there sooner or later, whoever asks for what.
  const files = readdirSync(join(folder, 'spool'), { recursive: true }).filter(
    (it) => !String(it).startsWith('pipeline/'),
  )
  return { residentKb, series, sources, files: files.length }
}

/** On one connection, all requests before the first answer. */
function inOneGo(port: number, from: number, to: number, statuses: Map<string, number>): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = to - from
    let rest = ''
    const socket = connect(port, '127.0.0.1', () => {
      const body = '{"id":1}'
      const head = `host: a\r\nauthorization: Bearer ${WRITER}\r\ncontent-type: application/x-ndjson\r\ncontent-length: ${body.length}`
      const texts = Array.from({ length: left }, (_, i) => {
        return `POST /v1/datasources/tried_${from + i}/events HTTP/1.1\r\n${head}\r\n\r\n${body}`
      })
      socket.write(texts.join(''))
    })
    socket.setEncoding('latin1')
    socket.on('data', (text) => {
      rest += text
      const heads = [...rest.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
      for (const [, status = ''] of heads) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      left -= heads.length
      rest = rest.slice(-12).replace(/HTTP\/1\.1 \d{3} /, '') // a head may come in two pieces
      if (left > 0) return
      socket.destroy()
      resolve()
    })
    socket.on('error', reject)
    socket.on('close', () => (left > 0 ? reject(new Error(`${left} requests were not answered`)) : resolve()))
  })
}
