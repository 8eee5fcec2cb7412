import { Readable } from 'node:stream'
import type { Call, Ended } from '@sluice/conformance'
import { memoryWorld } from './memory-world.js'

type Cli = typeof import('@sluice/cli')

/** The arguments that make a table's call; a policy of a table is handed over as it stands. */
export function argumentsOf({ policy, request }: Pick<Call, 'policy' | 'request'>): string[] {
  const { method, url, headers, body, idempotent } = request
  return [
    ...['request', method, url, '--policy', JSON.stringify(policy)],
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ...(idempotent ? ['--idempotent'] : []),
    ...{ none: [], replayable: ['--data', 'body'], stream: ['--data', '-'] }[body],
  ]
}

/** R13: a pipe that is longer than what is kept of it is sent once. */
export function stdinFor({ policy, request }: Pick<Call, 'policy' | 'request'>): Readable {
  if (request.body !== 'stream') return Readable.from([])
  const kept = typeof policy.max_replay_bytes === 'number' ? policy.max_replay_bytes : 1_048_576
  return Readable.from([Buffer.alloc(kept, 'a'), Buffer.from('and one more')])
}

/** One call of a table as somebody makes it at a prompt, and what can be seen of its end: exit code and `--report`. */
export async function commandCall(call: Call, cli: Cli): Promise<Ended> {
  const { fetch, clock, random, signal } = call
  const argv = [...argumentsOf(call), '--report']
  const { world, stderr } = memoryWorld({ argv, stdin: stdinFor(call), fetch, clock, random, signal })
  const exitCode = await cli.run(world)
  const { code, field, status, failure, reason, retryAfterMs, attempts, waitedMs } = JSON.parse(stderr())
  if (code === 'usage') return { policy_error: exitCode === 2 ? field : `exit code ${exitCode}` }
  const expected = { ok: 0, throttled: 4, aborted: 130 }[String(code)] ?? 1
  if (exitCode !== expected) throw new Error(`${code} ended with exit code ${exitCode}, not ${expected}`)
  const outcome = code === 'ok' || code === 'aborted' ? code : 'gave_up'
  return { outcome, status, failure, reason, retry_after_ms: retryAfterMs, attempts, waited_ms: waitedMs }
}
