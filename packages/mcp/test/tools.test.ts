import { fileURLToPath } from 'node:url'
import { createMcpServers, type Selection } from '@sluice/mcp'
import { type ApiDocument, readDocument } from '@sluice/openapi'
import { describe, expect, test } from 'vitest'
import { LOGS } from './child.js'
import { documentOf } from './document.js'
import { connected } from './in-memory.js'

const offer = (document: ApiDocument, selection: Selection = {}) =>
  createMcpServers({ document, baseUrl: 'https://service.test', ...selection })

const named = async (document: ApiDocument, selection?: Selection) => (await offer(document, selection)).tools

describe('the names of tools', () => {
  test.each([
    ['searchLogs', 'search_logs'],
    ['repos/list-commits', 'repos_list_commits'],
    ['getHTTPStatus', 'get_http_status'],
    ['GET /v1/items/{id}', 'get_v1_items_id'],
    ['v2.Users_List', 'v2_users_list'],
  ])('%s is %s', async (id, name) => {
    expect(await named(documentOf({ id }))).toEqual([name])
  })

  test('are short, unique and the same whatever else is offered', async () => {
    const ids = ['getItem', 'get-item', 'x'.repeat(100), `${'x'.repeat(100)}y`, '日本', 'get_item']
    const document = documentOf(...ids.map((id) => ({ id })))
    const all = await named(document)
    expect(new Set(all).size).toBe(ids.length)
    for (const name of all) expect(name).toMatch(/^[a-z0-9_-]{1,64}$/)
    expect(all[0]).toBe('get_item')
    expect(await named(document, { include: ['get-item'] })).toEqual([all[1]])
  })
})

test('what nobody sees is in no description and no title', async () => {
  const unseen = '\u001b[31m\u009b\u202e\u200b\u{e0041}\0'
  const document = documentOf({ summary: `List${unseen} items`, description: `All of\n${unseen}them.` }, { id: unseen })
  const client = await connected((await offer(document)).create())
  const { tools } = await client.listTools()
  expect(tools[0]).toMatchObject({ title: 'List[31m items', description: 'List[31m items\n\nAll of\n[31mthem.' })
  expect(tools[1]?.title).toBe('[31m')
})

describe('which operations are offered', () => {
  test('only those that read, unless writing is allowed', async () => {
    const document = await readDocument(LOGS)
    expect(await named(document)).toEqual(['search_logs', 'get_log'])
    expect(await named(document, { allowWrite: true })).toEqual(['search_logs', 'get_log', 'delete_log'])
  })

  test('by id, by tool name, by glob and by tag', async () => {
    const document = await readDocument(LOGS)
    const names = (include: string[], exclude: string[] = []) => named(document, { include, exclude, allowWrite: true })
    expect(await names(['searchLogs'])).toEqual(['search_logs'])
    expect(await names(['get_log', 'delete*'])).toEqual(['get_log', 'delete_log'])
    expect(await names(['tag:logs'], ['search*'])).toEqual(['get_log'])
    expect(await names(['tag:*'], ['tag:logs'])).toEqual(['delete_log'])
    await expect(names(['tag:nothing'])).rejects.toThrow('--include tag:nothing: no operation and no tag is called so')
  })

  test('more than 64 only where somebody says which', async () => {
    const operations = Array.from({ length: 70 }, (_, i) => ({ id: `op${i}`, tags: [i < 40 ? 'big' : 'small'] }))
    const document = documentOf(...operations)
    await expect(named(document)).rejects.toThrow(
      '70 tools are more than the 64 that are offered unasked; say which with --include, by tag for instance: tag:big (40), tag:small (30)',
    )
    expect(await named(document, { exclude: ['op1?'] })).toHaveLength(60)
    expect(await named(document, { include: ['tag:big'] })).toHaveLength(40)
    expect(await named(document, { include: ['*'] })).toHaveLength(70)
  })

  test('every operation of the gateway is a tool, but for its event streams', async () => {
    const document = await readDocument(fileURLToPath(import.meta.resolve('@sluice/spec/openapi.yaml')))
    const { tools, leftOut } = await offer(document, { allowWrite: true })
    expect(leftOut).toEqual([
      'streamStatus: answers with an event stream, which has no end',
      'streamNotices: answers with an event stream, which has no end',
    ])
    expect(tools.length + leftOut.length).toBe(document.operations.length)
  })

  test('an event stream is left out, and why is told', async () => {
    const { leftOut } = await offer(await readDocument(LOGS))
    expect(leftOut).toEqual(['followLogs: answers with an event stream, which has no end'])
  })
})

describe('what an agent is told of a tool', () => {
  test('plain words of a sensible length, and hints', async () => {
    const description = `Sends **one** [order](https://x.example).\n\n> [!NOTE]\n> ${'Long words. '.repeat(200)}`
    const { create } = await offer(
      documentOf({ summary: 'Send an order.', description, method: 'PUT', deprecated: true }),
      { allowWrite: true },
    )
    const { tools } = await (await connected(create())).listTools()
    const [tool] = tools
    expect(tool?.title).toBe('Send an order')
    expect(tool?.description).toMatch(/^Deprecated\. Send an order\.\n\nSends one order\.\n+Long words\. Long/)
    expect(tool?.description).toMatch(/Long words\.$/)
    expect(tool?.description?.length).toBeLessThan(830)
    expect(tool?.annotations).toEqual({
      ...{
        title: 'Send an order',
        readOnlyHint: false,
        idempotentHint: true,
        destructiveHint: true,
        openWorldHint: true,
      },
    })
  })
})
