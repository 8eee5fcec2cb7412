import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sluice } from './child.js'
import { serve } from './server.js'

const DOCUMENT = fileURLToPath(new URL('../../mcp/test/fixtures/logs.yaml', import.meta.url))

const info = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
const SESSION = [
  { id: 1, method: 'initialize', params: info },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('')

test('sluice mcp is the server of @sluice/mcp', async () => {
  const { url } = await serve((_, response) => void response.end())
  const args = ['mcp', '--openapi', DOCUMENT, '--base-url', url]
  const { code, stdout, stderr } = await sluice(args, { input: SESSION })
  expect(code).toBe(0)
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(answers.map(({ id }) => id)).toEqual([1, 2])
  expect(answers[1].result.tools.map(({ name }: { name: string }) => name)).toEqual(['search_logs', 'get_log'])
  expect(stderr).toBe(`2 tools of Logs 1, called at ${url}\n`)
})

test('its help goes by the name it was called by, its errors are usage errors', async () => {
  expect((await sluice(['mcp', '--help'])).stdout).toMatch(/^Usage: sluice mcp \[options\]/)
  const { code, stdout, stderr } = await sluice(['--no-retry', 'mcp', '--openapi', 'nowhere.yaml'])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^Error: .*nowhere\.yaml/)
})
