import { expect, test } from 'vitest'
import { run } from '../src/run.js'
import { memoryWorld } from './memory-world.js'
import { serve } from './server.js'

async function request(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { world, stdout, stderr } = memoryWorld({ argv: ['request', ...argv], fetch })
  const code = await run(world)
  return { code, stdout: stdout(), stderr: stderr() }
}

const SECRETS = ['-H', 'X-Api-Key: 5ecret', '-H', 'Authorization: Bearer 5ecret', '-H', 'Accept: text/plain']

test('a redirect to another origin takes no header along that could show who asks', async () => {
  const other = await serve((_, response) => response.end('there\n'))
  const { url, received } = await serve((nth, response) =>
    response.writeHead(307, { location: nth === 1 ? '/moved' : `${other.url}/x` }).end(),
  )
  expect(await request('POST', url, '-d', 'text', ...SECRETS)).toEqual({ code: 0, stdout: 'there\n', stderr: '' })
  expect(received.map(({ path, headers }) => [path, headers['x-api-key']])).toEqual([
    ['/', '5ecret'],
    ['/moved', '5ecret'],
  ])
  expect(other.received).toMatchObject([{ method: 'POST', path: '/x', headers: { accept: 'text/plain' } }])
  expect(JSON.stringify(other.received)).not.toContain('5ecret')
})

test('one that leads nowhere fails, and is not tried again', async () => {
  const { url, received } = await serve((_, response) => response.writeHead(302, { location: 'ftp://a.test/' }).end())
  expect(await request('GET', url, ...SECRETS)).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: 'Error: connection failed (a redirect to ftp:, which is no web address) after 1 attempt\n',
  })
  expect(received).toHaveLength(1)
})
