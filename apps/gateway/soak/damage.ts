import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GatewayProcess } from './gateway-process.js'
import { MOST_ROWS } from './ledger.js'
import { linesOf, outcomeOf } from './load.js'
import type { Report } from './report.js'
import { ledgersOf, Stand } from './stand.js'

const BATCHES = 30
const ROWS = 20
/** Of which a bit is flipped. */
const VICTIM = 17

/** A spool whose last record was never finished, and one in which a bit is flipped: what is lost, and who is told. */
export async function damage(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-soak-damage-'))
  let gateway: GatewayProcess | undefined
  try {
    gateway = await GatewayProcess.start({ folder })
    const stand = new Stand('damaged', gateway, [], ledgersOf(['clicks']))
    await stand.define({ flush_interval_ms: 500 })
    const { api } = gateway
    const ledger = stand.ledgers.get('clicks')
    const paused = async () => {
      await api.must('POST', '/v1/datasources/clicks/backlog/pause')
      for (let i = 0; i < BATCHES; i++) {
        const batch = ledger?.begin(ROWS)
        if (batch) batch.outcome = outcomeOf((await api.send('clicks', linesOf(batch), false)).status)
      }
    }
    const written = async () => {
      await api.must('POST', '/v1/datasources/clicks/backlog/resume')
      await stand.drained()
      return stand.audit()
    }
    const notices = async () => {
      const all = JSON.parse(await api.must('GET', '/v1/notices')).notices as { kind: string; message: string }[]
      return all.filter(({ kind }) => kind === 'spool-damaged')
    }

    await paused()
    await gateway.kill()
    // As a write leaves it that the end of the process broke off: the beginning of a record, and nothing behind it.
    const torn = lastSegment(folder)
    const bytes = readFileSync(torn)
    appendFileSync(torn, bytes.subarray(0, Math.min(400, bytes.length - 1)))
    await gateway.restart()
    const afterTorn = await written()
    const { acknowledged, lost, doubled } = afterTorn
    report.check(
      'A record that was never finished',
      lost + doubled === 0,
      `${acknowledged} rows, ${lost} lost, ${doubled} twice`,
    )
    report.check(
      '… is no damage, and nobody is alarmed',
      (await notices()).length === 0,
      `${(await notices()).length} notices`,
    )
    report.check('… and is found', gateway.log.includes('tornBytes=400'), 'in the log')

    const first = (ledger?.lastBatch ?? 0) + 1
    await paused()
    await gateway.kill()
    const path = segments(folder).find((it) => readFileSync(it).includes(marked(first + VICTIM))) ?? ''
    const content = readFileSync(path)
    const at = content.indexOf(marked(first + VICTIM))
    content[at + 6] = (content[at + 6] ?? 0) ^ 0b100
    writeFileSync(path, content)
    await gateway.restart()
    const afterFlip = await written()
    const isThatOne = afterFlip.lostBatches.length === 1 && afterFlip.lostBatches[0] === first + VICTIM
    report.check(
      'A flipped bit costs the record that it is in, and no other',
      isThatOne && afterFlip.doubled === 0,
      `${afterFlip.lost} of ${afterFlip.acknowledged} rows lost, ${afterFlip.doubled} twice`,
    )
    const told = await notices()
    report.check('… and owners are told', told.length === 1, told[0]?.message ?? 'nobody was told')
  } finally {
    await gateway?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** As it lies in the spool. */
const marked = (batch: number): string => `"id":${batch * MOST_ROWS},`

function segments(folder: string): string[] {
  const events = join(folder, 'spool', 'events')
  return readdirSync(events)
    .sort()
    .map((name) => join(events, name))
}

const lastSegment = (folder: string): string => segments(folder).at(-1) ?? ''
