import { type SurfaceCase, scriptSurface, surfaceTable } from '@sluice/conformance/surfaces'
import { replaySurfaces } from '@sluice/conformance/vitest'
import { VirtualClock } from '@sluice/core/testing'
import { expect } from 'vitest'
import { toolCall } from './tool-call.js'

type Mcp = typeof import('@sluice/mcp')

const { policy } = surfaceTable()

async function runRow(mcp: Mcp, { call, outcome }: SurfaceCase, errorMode: 'result' | 'protocol') {
  if (!call) throw new Error('the row has no call')
  const made = scriptSurface(call, policy, new VirtualClock())
  const called = await made.clock.run(toolCall(made.call, mcp, { errorMode, tool: outcome.operation }))
  if ('policy_error' in called) throw new Error(`the row's policy is refused: ${called.policy_error}`)
  return called
}

/** S2: each row through a client and a server: the result, its notes, and the error that a host can ask for. */
async function checkRow(mcp: Mcp, row: SurfaceCase): Promise<void> {
  const { mcp: wanted, cli_note: notes } = row.expect
  if (wanted === undefined) return
  const { got, told, progress } = await runRow(mcp, row, 'result')
  expect(told.end).toMatchObject({ kind: row.outcome.kind, attempts: row.outcome.attempts, status: row.outcome.status })
  if (notes !== undefined) expect(progress).toEqual(notes)
  if (wanted === null) return expect(got).toBeInstanceOf(Error)

  if (got instanceof Error) throw got
  const texts = got.content.map((content) => (content.type === 'text' ? content.text : content.type))
  expect(got.isError ?? false).toBe(wanted.is_error)
  expect(texts).toEqual(wanted.body === undefined ? [wanted.text] : [wanted.text, wanted.body])
  expect(got._meta?.[mcp.THROTTLE_META] ?? null).toEqual(wanted.meta)

  const { got: asError } = await runRow(mcp, row, 'protocol')
  if (wanted.protocol) expect(asError).toMatchObject({ ...wanted.protocol })
  else expect(asError).toMatchObject({ content: got.content })
}

/** Registers one test a row, and writes the report that `pnpm conformance` reads. */
export function replaySurface(load: () => Promise<Mcp>): void {
  const loaded = load()
  replaySurfaces('@sluice/mcp', 'mcp', async (row) => checkRow(await loaded, row))
}
