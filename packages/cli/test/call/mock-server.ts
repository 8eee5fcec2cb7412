import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { serve, type TestServer } from '../server.js'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
type Members = { [name: string]: Json }

const members = (value: Json | undefined): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']

/** One operation as the server knows it: the document read by other code than what is tested. */
interface Mocked {
  readonly method: string
  readonly template: string
  readonly pattern: RegExp
  readonly status: number
  readonly contentType: string | null
  readonly body: string
}

export interface MockServer extends TestServer {
  readonly operations: readonly Mocked[]
  /** The template that each request met, `null` where none fitted. */
  readonly met: readonly (string | null)[]
}

/**
 * A server that answers every operation of a document: first with a 429 that asks for no wait, then with the success
 * that the document describes and its example. What fits no operation is answered 404.
 */
export async function mockServer(path: string): Promise<MockServer> {
  const document = members(parse(readFileSync(path, 'utf8')))
  const operations = operationsOf(document)
  const met: (string | null)[] = []
  const asked = new Map<Mocked, number>()
  const server = await serve((_, response, { method, path: given }) => {
    const [target = ''] = given.split('?')
    // What is literal goes before a template, as the specification says.
    const [found] = operations
      .filter((one) => one.method === method && one.pattern.test(target))
      .sort((a, b) => literal(b) - literal(a))
    met.push(found ? `${method} ${found.template}` : null)
    if (!found) return response.writeHead(404).end()
    const nth = (asked.get(found) ?? 0) + 1
    asked.set(found, nth)
    if (nth % 2 === 1) return response.writeHead(429, { 'retry-after': '0' }).end('slow down')
    if (found.status === 204 || found.contentType === null) return response.writeHead(found.status).end()
    response.writeHead(found.status, { 'content-type': found.contentType }).end(found.body)
  })
  return { ...server, operations, met }
}

const literal = ({ template }: Mocked): number => template.replace(/\{[^}]*\}/g, '').length

function operationsOf(document: Members): readonly Mocked[] {
  const resolve = (value: Json | undefined): Members => {
    const { $ref, ...rest } = members(value)
    if (typeof $ref !== 'string') return rest
    const names = $ref
      .slice(2)
      .split('/')
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    return resolve(names.reduce<Json>((inside, name) => members(inside)[name] ?? null, document))
  }
  return Object.entries(members(document.paths)).flatMap(([template, item]) =>
    Object.entries(resolve(item))
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => {
        const responses = Object.entries(members(members(operation).responses))
        const [status = '200', response] = responses.find(([code]) => /^2\d\d$/.test(code)) ?? []
        const [contentType = null, media] = Object.entries(members(resolve(response).content))[0] ?? []
        const { example, examples } = members(media)
        const [named] = Object.values(members(examples))
        const sample = example ?? resolve(named).value ?? { data: [{ id: 1 }] }
        return {
          ...{ method: method.toUpperCase(), template, contentType, status: Number(status) },
          pattern: new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]*\}/g, '[^/]+')}$`),
          body: typeof sample === 'string' ? sample : JSON.stringify(sample),
        }
      }),
  )
}
