import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Suite, specTable } from '@sluice/conformance'
import { canCall } from './tool-call.js'

interface Row {
  body?: string
  request?: { body?: string }
}

/** A table without the rows whose body is a stream: a tool's arguments cannot hold one. */
export function tableForTools(suite: Suite): string {
  const table: { cases: Row[] } = JSON.parse(readFileSync(specTable(suite), 'utf8'))
  table.cases = table.cases.filter((row) => row.body !== 'stream' && canCall(row))
  const folder = fileURLToPath(new URL('../.report/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const file = `${folder}${suite}.json`
  writeFileSync(file, JSON.stringify(table))
  return file
}
