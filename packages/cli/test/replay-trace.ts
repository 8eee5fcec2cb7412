import { Readable } from 'node:stream'
import { run } from '@sluice/cli'
import { memoryWorld } from './memory-world.js'

export const T0: number = Date.UTC(2026, 0, 1, 12)
/** So long after it. */
export const iso = (ms: number): string => new Date(T0 + ms).toISOString()
/** Window i has `latencies[i]`, fifty times. */
export const latencies: readonly number[] = [
  ...Array<number>(40).fill(100),
  ...Array<number>(6).fill(300),
  ...Array<number>(40).fill(100),
]
export const CSV: string = ['time,latency_ms,count', ...latencies.map((ms, i) => `${iso(i * 10_000)},${ms},50`)].join(
  '\n',
)

/** `sluice replay -` with this on its stdin. */
export async function replay(
  input: string | Buffer,
  ...argv: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const { world, stdout, stderr } = memoryWorld({
    argv: ['replay', '-', ...argv],
    stdin: Readable.from([Buffer.from(input)]),
  })
  const code = await run(world)
  return { code, stdout: stdout(), stderr: stderr() }
}
