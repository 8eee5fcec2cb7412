import type { Context } from 'hono'
import type { z } from 'zod'
import { type FieldFault, shortened } from '../field-fault.js'
import { ClientGoneError } from './client-gone-error.js'
import type { GatewayEnv } from './env.js'
import { mostBytesAt } from './limit-body.js'
import { badBody, Refusal, unsupported } from './refusal.js'

/** Bytes of bodies that are in memory. */
export class BodyBudget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** @returns whether there was room for so many more */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }

  give(bytes: number): void {
    this.#left += bytes
  }
}

/**
 * Reads a body, whose length is checked already. What has come counts, not what was announced: who sends slowly holds
 * little.
 *
 * @returns the body, and what to call when it is no longer needed
 * @throws Refusal 503 where too much is being read for others; ClientGoneError
 */
export async function readBody(
  c: Context<GatewayEnv>,
  budget: BodyBudget,
): Promise<{ readonly body: Uint8Array; readonly release: () => void }> {
  const chunks: Buffer[] = []
  const most = mostBytesAt(c.req.path)
  let bytes = 0
  const release = () => {
    budget.give(bytes)
    bytes = 0
  }
  try {
    for await (const chunk of c.env.incoming as AsyncIterable<Buffer>) {
      if (bytes + chunk.length > most || !budget.take(chunk.length)) throw tooMuchAtOnce()
      bytes += chunk.length
      chunks.push(chunk)
    }
  } catch (error) {
    release()
    throw error instanceof Refusal ? error : new ClientGoneError()
  }
  return { body: Buffer.concat(chunks), release }
}

function tooMuchAtOnce(): Refusal {
  return new Refusal({
    status: 503,
    kind: 'unavailable',
    title: 'Unavailable',
    detail: 'More is being sent just now than the gateway can hold. Come back in 1 s.',
    headers: { 'Retry-After': '1' },
  })
}

/** The media type without its parameters; 415 unless it is one of these. */
export function mediaType<T extends string>(c: Context<GatewayEnv>, types: readonly T[]): T {
  const sent = c.req.header('content-type')
  const [name = ''] = (sent ?? '').split(';')
  const type = types.find((it) => it === name.trim().toLowerCase())
  const coding = c.req.header('content-encoding')
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity')
    throw unsupported(`Content-Encoding ${coding}`, 'it as it is')
  if (type === undefined) throw unsupported(sent, types.join(' or '))
  return type
}

/** Reads a body of JSON and checks it. @throws Refusal 400, 415, 503 */
export async function readJson<T>(c: Context<GatewayEnv>, budget: BodyBudget, schema: z.ZodType<T>): Promise<T> {
  mediaType(c, ['application/json'])
  const { body, release } = await readBody(c, budget)
  try {
    let value: unknown
    try {
      value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    } catch {
      throw badBody([{ parameter: 'body', message: 'is not JSON' }])
    }
    const result = schema.safeParse(value)
    if (result.success) return result.data
    throw badBody(result.error.issues.slice(0, MOST_FAULTS).map((issue) => faultOf(issue, value)))
  } finally {
    release()
  }
}

const MOST_FAULTS = 20

function faultOf({ path, message }: z.core.$ZodIssue, body: unknown): FieldFault {
  let value = body
  for (const step of path) value = typeof value === 'object' ? Reflect.get(value ?? {}, step) : undefined
  const isShown = ['string', 'number', 'boolean'].includes(typeof value)
  const parameter = shortened(path.map(String).join('.')) || 'body'
  return { parameter, ...(isShown && { value: shortened(String(value)) }), message: oneLine(message) }
}

/** As a sentence goes on after the name of a field. */
function oneLine(message: string): string {
  return message
    .replace(/^Unrecognized key(s?): /, 'has what it cannot have: ')
    .replace(/^Invalid input: /, 'is wrong: ')
}
