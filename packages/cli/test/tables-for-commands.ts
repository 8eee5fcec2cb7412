import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { specTable } from '@sluice/conformance'

interface Row {
  request?: { method?: string }
  answers?: { body?: string }[]
  expect: { outcome?: string; status?: number | null; failure?: string | null; body_released?: number }
}

/** HEAD has none, nor have these (RFC 9110 §6.4.1). */
const hasBody = ({ request, answers, expect }: Row): boolean =>
  request?.method?.toUpperCase() !== 'HEAD' && ![204, 304].includes(expect.status ?? 0) && answers?.at(-1)?.body !== ''

/**
 * call-scenarios.json for a command. The table counts the bodies that were let go when its caller is handed the last
 * answer; a command has by then read that one too, to its end, or let go of it where S1 keeps it off stdout. So where an
 * answer surfaces, one more is expected; everything else stands as it is.
 */
export function scenariosForCommands(): string {
  const table: { cases: Row[] } = JSON.parse(readFileSync(specTable('call-scenarios'), 'utf8'))
  for (const row of table.cases) {
    const { expect } = row
    const surfaces = expect.failure === null && expect.outcome !== 'aborted'
    if (expect.body_released !== undefined && surfaces && hasBody(row)) expect.body_released++
  }
  const folder = fileURLToPath(new URL('../.report/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const file = `${folder}call-scenarios.json`
  writeFileSync(file, JSON.stringify(table))
  return file
}
