import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { type Call, type Ended, loadTable, specTable } from '@sluice/conformance'
import { driverOf } from '@sluice/conformance/driver'
import { runWire, wireInProcess } from '@sluice/conformance/wire'
import { systemClock as clock } from '@sluice/core'
import { expect, test } from 'vitest'
import { BIN, environment } from './child.js'

/** The fields of a table's policy that a document can state, by their names there. */
const STATED = {
  max_attempts: 'maxAttempts',
  base_ms: 'baseMs',
  per_attempt_cap_ms: 'perAttemptCapMs',
  total_cap_ms: 'totalCapMs',
}

/** A document with the row's request as its only operation, and the row's policy as its `x-sluice-retry`. */
function documentFile({ policy, request }: Call): string {
  const retry = Object.entries(STATED).map(([field, name]) => [name, policy[field]])
  const operation = {
    ...{ operationId: 'items', responses: { 200: { description: 'fine' } } },
    'x-sluice-retry': { ...Object.fromEntries(retry), ...(request.idempotent && { idempotent: true }) },
    ...(request.body === 'none' ? {} : { requestBody: { content: { 'text/plain': { schema: { type: 'string' } } } } }),
  }
  const paths = { [new URL(request.url).pathname]: { [request.method.toLowerCase()]: operation } }
  const file = join(mkdtempSync(join(tmpdir(), 'sluice-mcp-')), 'openapi.json')
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'Row', version: '1' }, paths }))
  return file
}

/** The row's call, made by a client to a `sluice-mcp` that is a process of its own; what can be seen of its end there. */
async function wireCall(call: Call): Promise<Partial<Ended>> {
  const { request } = call
  const headers = Object.entries(request.headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`])
  const base = ['--openapi', documentFile(call), '--base-url', new URL(request.url).origin, '--allow-write']
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [BIN, ...base, ...headers], env: environment(), stderr: 'ignore' },
  })
  const client = new Client({ name: 'wire', version: '1' })
  await client.connect(transport)
  try {
    const args = request.body === 'none' ? {} : { body: 'body' }
    const result = (await client.callTool({ name: 'items', arguments: args })) as CallToolResult
    const [text] = result.content.map((one) => (one.type === 'text' ? one.text : ''))
    const throttle = result._meta?.['sluice/throttle'] as
      | { httpStatus: number; retryAfterMs: number | null }
      | undefined
    if (throttle) return { outcome: 'gave_up', status: throttle.httpStatus, retry_after_ms: throttle.retryAfterMs }
    if (!result.isError) return { outcome: 'ok' }
    const status = /^items failed: HTTP (\d+)/.exec(text ?? '')?.[1]
    return { outcome: 'gave_up', ...(status !== undefined && { status: Number(status) }) }
  } finally {
    await client.close()
  }
}

test('as a process of its own every real_time row arrives when it should', { timeout: 240_000 }, async () => {
  const driver = driverOf(
    { call: async (call) => (await wireCall(call)) as Ended }, // what is left out is not compared
    { name: 'sluice-mcp', version: '0', features: ['hints'], wire: { fetch, clock, random: Math.random } },
  )
  const table = loadTable(specTable('call-scenarios'))
  // A document cannot say that transient failures are not to be retried.
  const isStated = (row: { policy?: Record<string, unknown> }): boolean =>
    Object.keys(row.policy ?? {}).every((field) => field in STATED)
  const tables = [{ ...table, cases: table.cases.filter(isStated) } as typeof table]
  const { suites } = await runWire({
    ...{ start: wireInProcess(driver), tables, clock },
    // The start of a process is part of each call; a busy machine is late, it must not be early.
    ...{ toleranceMs: 2000, graceMs: 60_000, concurrency: 2 },
  })
  const rows = tables.flatMap(({ cases }) => cases.filter((row) => 'real_time' in row && row.real_time))
  expect(rows.length).toBeGreaterThan(25)
  const failed = suites.flatMap(({ result }) => result.results).filter(({ verdict }) => verdict !== 'passed')
  expect(failed.map(({ id, mismatches, skipReason }) => [id, skipReason, mismatches])).toEqual([])
  expect(suites.map(({ result }) => result.passed)).toEqual([rows.length])
})
