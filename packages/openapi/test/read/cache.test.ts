import { mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DocumentCache, readDocument } from '../../src/index.js'
import { withPaths } from './document.js'

const documentText = (title: string): string =>
  JSON.stringify({
    ...withPaths({ '/é': { get: { operationId: 'first', summary: 'ünï' } }, '/b': { get: { operationId: 'second' } } }),
    info: { title, version: '1' },
    servers: [{ url: '/api' }],
  })

let folder: string
let cache: DocumentCache
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-openapi-'))
  cache = new DocumentCache(join(folder, 'cache', 'deep'))
  path = join(folder, 'api.json')
  await writeFile(path, documentText('One'))
})
afterEach(() => rm(folder, { recursive: true }))

const cacheFile = async (): Promise<string> => {
  const [file, ...others] = await readdir(cache.folder)
  expect(others).toEqual([])
  return join(cache.folder, file ?? expect.fail('nothing was cached'))
}

describe('a file', () => {
  /** Counts how often the source was read. */
  function reader(): { readonly reads: () => number; readonly readFile: (path: string) => Promise<string> } {
    let count = 0
    return {
      reads: () => count,
      readFile: (file) => {
        count++
        return readFile(file, 'utf8')
      },
    }
  }

  test('is read once; what comes from the cache is the same', async () => {
    const { reads, ...io } = { ...reader(), cache }
    const first = await readDocument(path, io)
    const { operation, ...again } = await readDocument(path, io)
    expect(first).toMatchObject(again)
    expect(await operation('second')).toEqual(await first.operation('second'))
    expect(await operation('FIRST')).toMatchObject({ path: '/é', summary: 'ünï' })
    await expect(operation('thrid')).rejects.toHaveProperty('name', 'UnknownOperationError')
    expect(reads()).toBe(1)
  })

  test('that changed is read again', async () => {
    const io = { cache }
    await readDocument(path, io)
    await writeFile(path, documentText('Two'))
    await utimes(path, 1, 1)
    expect((await readDocument(path, io)).title).toBe('Two')
    await writeFile(path, documentText('Three'))
    await utimes(path, 1, 1)
    expect((await readDocument(path, io)).title).toBe('Three')
  })

  test('files are of the user only', async () => {
    await readDocument(path, { cache })
    expect((await stat(await cacheFile())).mode & 0o777).toBe(0o600)
    expect((await stat(cache.folder)).mode & 0o777).toBe(0o700)
  })

  test.each<[string, (file: string) => Promise<void>]>([
    ['empty', (file) => truncate(file, 0)],
    ['cut short', async (file) => truncate(file, (await stat(file)).size - 5)],
    [
      'of another format',
      async (file) => writeFile(file, (await readFile(file, 'utf8')).replace(/^sluice-openapi \d/, 'sluice-openapi 0')),
    ],
    ['not an index', async (file) => writeFile(file, (await readFile(file, 'utf8')).replace('"stamp"', '"st_mp"'))],
    [
      'with a length that lies',
      async (file) =>
        writeFile(
          file,
          (await readFile(file, 'utf8')).replace(
            /^sluice-openapi 1 .{38}/s,
            `${'sluice-openapi 1 9999999999'.padEnd(39)}\n`,
          ),
        ),
    ],
    ['noise', (file) => writeFile(file, Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 37) % 256)))],
  ])('a cache that is %s is made anew', async (_, damage) => {
    await readDocument(path, { cache })
    await damage(await cacheFile())
    const damaged = await readDocument(path, { cache })
    expect(await damaged.operation('second')).toMatchObject({ path: '/b' })
    const { readFile, reads } = reader()
    expect((await readDocument(path, { readFile, cache })).title).toBe('One')
    expect(reads()).toBe(0)
  })

  test('an operation that is damaged is taken from the source, and the cache mended', async () => {
    await readDocument(path, { cache })
    const file = await cacheFile()
    const whole = await readFile(file, 'utf8')
    await writeFile(file, whole.replace(/"id":"second"(?!.*"id":"second")/s, '"id":"sec_nd"'))
    const document = await readDocument(path, { cache })
    expect(await document.operation('second')).toMatchObject({ id: 'second' })
    expect(await readFile(file, 'utf8')).toBe(whole)
  })

  test('a source that could not be read is read again by who asks next', async () => {
    await readDocument(path, { cache })
    const file = await cacheFile()
    await writeFile(file, (await readFile(file, 'utf8')).replace(/"id":"second"(?!.*"id":"second")/s, '"id":"sec_nd"'))
    const document = await readDocument(path, { cache })
    const text = await readFile(path, 'utf8')
    await rm(path)
    for (let i = 0; i < 2; i++) await expect(document.operation('second')).rejects.toThrow('there is no such file')
    await writeFile(path, text)
    expect(await document.operation('second')).toMatchObject({ id: 'second' })
  })

  test('writers at the same time leave one whole file', async () => {
    await Promise.all(Array.from({ length: 20 }, () => readDocument(path, { cache: new DocumentCache(cache.folder) })))
    await cacheFile()
    const cached = await cache.open(path)
    expect(await cached?.operation(1)).toMatchObject({ id: 'second' })
  })

  test('a cache that cannot be written is noted, and the document is there', async () => {
    const document = await readDocument(path, { cache: new DocumentCache(join(path, 'below-a-file')) })
    expect(document.title).toBe('One')
    expect(document.notes).toEqual([`The cache ${join(path, 'below-a-file')} cannot be written: ENOTDIR.`])
  })
})

describe('a URL', () => {
  type Answer = (request: IncomingMessage, response: ServerResponse) => void

  async function serve<T>(answer: Answer, use: (origin: string, close: () => Promise<void>) => Promise<T>): Promise<T> {
    const server = createServer(answer)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const close = (): Promise<void> =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
    try {
      return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, close)
    } finally {
      await close()
    }
  }

  test('is asked whether the copy still holds; unreachable, the copy is used and said so; no secret is kept', async () => {
    const statuses: number[] = []
    const answer: Answer = ({ headers }, response) => {
      const status = headers['if-none-match'] === '"v1"' ? 304 : headers.authorization === 'Bearer t0ken' ? 200 : 401
      statuses.push(status)
      response.writeHead(status, { etag: '"v1"' }).end(status === 200 ? documentText('Served') : '')
    }
    await serve(answer, async (origin, close) => {
      const url = `${origin}/docs/api.json?key=s3cret`
      const io = { cache, headers: { authorization: 'Bearer t0ken' } }
      expect(await readDocument(url, io)).toMatchObject({ title: 'Served', servers: [`${origin}/api`] })
      const second = await readDocument(url, io)
      expect(await second.operation('first')).toMatchObject({ servers: [`${origin}/api`] })
      await readDocument(url, { ...io, revalidate: false })
      expect(statuses).toEqual([200, 304])
      await close()
      const offline = await readDocument(url, io)
      expect(offline.notes).toEqual([
        `${origin}/docs/api.json: cannot be reached: ECONNREFUSED; a copy from the cache is used.`,
      ])
      expect(await offline.operation('second')).toMatchObject({ path: '/b' })
      const file = await cacheFile()
      expect(file + (await readFile(file, 'utf8'))).not.toMatch(/s3cret|t0ken/)
    })
  })

  test('without validators it is downloaded again, and worked out again only where it changed', async () => {
    let title = 'One'
    await serve(
      (_, response) => response.end(documentText(title)),
      async (origin) => {
        await readDocument(origin, { cache })
        const { ino } = await stat(await cacheFile())
        await readDocument(origin, { cache })
        expect((await stat(await cacheFile())).ino).toBe(ino)
        title = 'Two'
        expect((await readDocument(origin, { cache })).title).toBe('Two')
      },
    )
  })

  test.each([
    [404, 'answered 404; is the address right?'],
    [401, 'answered 401; it wants to know who asks'],
    [500, 'answered 500'],
    [304, 'answered 304'],
  ])('%i is said without the query', async (status, message) => {
    await serve(
      (_, response) => response.writeHead(status).end(),
      async (origin) => {
        await expect(readDocument(`${origin}/x?key=s3cret`)).rejects.toMatchObject({
          message: `${origin}/x: ${message}`,
        })
      },
    )
  })

  test('a redirect is followed; to another origin the headers do not come along', async () => {
    const seen: (string | undefined)[] = []
    await serve(
      ({ headers }, response) => {
        seen.push(headers['x-key'] as string | undefined)
        response.end(documentText('There'))
      },
      async (there) => {
        await serve(
          ({ url, headers }, response) => {
            seen.push(headers['x-key'] as string | undefined)
            response.writeHead(302, { location: url === '/a' ? '/b' : `${there}/c` }).end()
          },
          async (here) => {
            expect((await readDocument(`${here}/a`, { headers: { 'X-Key': 'k' } })).title).toBe('There')
          },
        )
      },
    )
    expect(seen).toEqual(['k', 'k', undefined])
  })

  test('redirects in a circle end, credentials in a URL are refused unseen', async () => {
    await serve(
      (_, response) => response.writeHead(302, { location: '/' }).end(),
      async (origin) => {
        await expect(readDocument(origin)).rejects.toThrow('redirected more than 5 times')
      },
    )
    await expect(readDocument('https://me:s3cret@a.example/x')).rejects.toMatchObject({
      message: 'https://a.example/x: a URL must hold no user name and no password; send them in a header',
    })
  })

  test('an abort ends the download with its reason', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    await serve(
      () => controller.abort(reason),
      async (origin) => {
        await expect(readDocument(origin, { signal: controller.signal })).rejects.toBe(reason)
      },
    )
  })
})
