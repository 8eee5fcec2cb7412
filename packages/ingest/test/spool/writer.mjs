// Appends and marks until it is killed, and says on stdout what it was told.
import { writeSync } from 'node:fs'
import { argv } from 'node:process'
import { Spool } from '@sluice/ingest/spool'

const [, , folder, run] = argv
const say = (what, payload) => writeSync(1, `${what} ${payload}\n`)
const spool = await Spool.open(folder, { groupMs: 1, segmentBytes: 2000 })

const work = async (worker) => {
  for (let i = 0; ; i++) {
    const payload = `${run}-${worker}-${i}`
    const sequence = await spool.append('a', new TextEncoder().encode(payload))
    say('kept', payload)
    if (i % 3 === 0) continue
    say('asked', payload)
    await spool.done([sequence])
    say('done', payload)
  }
}
await Promise.all([0, 1, 2, 3].map(work))
