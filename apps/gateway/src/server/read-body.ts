import type { Context } from 'hono'
import type { z } from 'zod'
import { type FieldFault, shortened } from '../field-fault.js'
import { Shares } from '../shares.js'
import { ClientGoneError } from './client-gone-error.js'
import type { GatewayEnv } from './env.js'
import { badBody, Refusal, tenantBusy, unsupported } from './refusal.js'

/** So much of what bodies may have in memory is for small ones: definitions come through whatever is being sent. */
const [SMALL_BYTES, SMALL_PART] = [65_536, 1 / 16]
/** One tenant has no more of it. */
const TENANT_PART = 1 / 4
/** What a piece of a body holds beside its bytes, be it of one byte. */
const CHUNK_BYTES = 256

/** Bytes of bodies that are in memory, small ones by themselves. */
export class BodyBudget {
  readonly #small: Shares
  readonly #large: Shares

  constructor(bytes: number) {
    const part = (inAll: number) => new Shares({ inAll, perOwner: inAll * TENANT_PART })
    this.#small = part(bytes * SMALL_PART)
    this.#large = part(bytes - bytes * SMALL_PART)
  }

  /** Where a body of such a length is counted. */
  of(length: number): Shares {
    return length <= SMALL_BYTES ? this.#small : this.#large
  }
}

/** A body that was read. */
export interface SentBody {
  readonly body: Uint8Array
  /** When it is no longer needed: it is empty from then on. */
  readonly release: () => void
}

const EMPTY = Buffer.alloc(0)

/**
 * Reads a body, whose length is checked already. What has come counts, not what was announced: who sends slowly holds
 * little.
 *
 * @throws Refusal 429 where too much of its tenant is being read, 503 where too much of all; ClientGoneError
 */
export async function readBody(c: Context<GatewayEnv>, budget: BodyBudget): Promise<SentBody> {
  const chunks: Buffer[] = []
  const { tenant } = c.var.token
  const bytesInAll = budget.of(Number(c.req.header('content-length') ?? 0))
  let bytes = 0
  const release = () => {
    bytesInAll.give(tenant, bytes)
    bytes = 0
  }
  try {
    // What is refused is left as it is: what goes on coming of it is read past, and its connection is of use again.
    for await (const chunk of c.env.incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const held = chunk.length + CHUNK_BYTES
      const full = bytesInAll.take(tenant, held)
      if (full !== undefined) throw tooMuchAtOnce(full, bytesInAll)
      bytes += held
      chunks.push(chunk)
    }
  } catch (error) {
    release()
    throw error instanceof Refusal ? error : new ClientGoneError()
  }
  const sent = {
    body: Buffer.concat(chunks),
    release: () => {
      sent.body = EMPTY
      release()
    },
  }
  return sent
}

function tooMuchAtOnce(full: 'owner' | 'all', { limits }: Shares): Refusal {
  if (full === 'owner') return tenantBusy(`has ${Math.floor(limits.perOwner / MIB)} MiB of bodies being read`)
  return new Refusal({
    status: 503,
    kind: 'unavailable',
    title: 'Unavailable',
    detail: 'More is being sent just now than the gateway can hold. Come back in 1 s.',
    headers: { 'Retry-After': '1' },
  })
}

const MIB = 1_048_576

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

/** Reads a body of JSON and checks it. @throws Refusal 400, 415, 429, 503 */
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
  return { parameter, ...(isShown && { value: shortened(String(value)) }), message }
}
