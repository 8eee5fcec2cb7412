import type { DecisionActual, DecisionRow } from '@sluice/conformance'
import { memoryWorld } from './memory-world.js'

type Cli = typeof import('@sluice/cli')

/** One decision of a table, as `sluice decide … --json` answers it. */
export async function commandDecision(row: DecisionRow, cli: Cli): Promise<DecisionActual> {
  const argv = [
    ...['decide', row.failure.replace(/^status:/, ''), '--json', '--policy', JSON.stringify(row.policy)],
    ...Object.entries(row.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ...('idempotency-key' in row.request_headers ? ['--idempotency-key'] : []),
    ...(row.idempotent ? ['--idempotent'] : []),
    ...(row.body === 'stream' ? ['--stream'] : []),
    ...(row.failed_transiently ? ['--failed-transiently'] : []),
    ...(row.retry_tokens === null ? [] : ['--retry-tokens', String(row.retry_tokens)]),
    ...(row.response_body === null ? [] : ['--body', row.response_body]),
    ...[
      '--method',
      row.method,
      '--attempt',
      String(row.attempt),
      '--draw',
      String(row.random),
      '--now',
      String(row.now),
    ],
    ...['--waited', `${row.waited_ms}ms`, '--throttle-waited', `${row.throttle_waited_ms}ms`],
    ...['--elapsed', `${row.elapsed_ms}ms`, '--transient-failures', String(row.transient_failures)],
  ]
  const { world, stdout, stderr } = memoryWorld({ argv })
  const exitCode = await cli.run(world)
  if (exitCode === 2) return { policy_error: JSON.parse(stderr()).field }
  const { retry, waitMs, failFast, reason, retryAfterMs } = JSON.parse(stdout())
  const told = { retry, fail_fast: failFast, reason, retry_after_ms: retryAfterMs }
  return waitMs === null ? told : { ...told, wait_ms: waitMs.min }
}
