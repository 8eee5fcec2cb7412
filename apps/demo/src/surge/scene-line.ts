import type { Scene } from './surge.js'

/** `Limit 6/8, job 4s: in flight 6 queued 9 p90 180 ms baseline 75 ms ratio 1.92`, as long as a terminal is wide */
export function sceneLine({ phase, jobMs, limit }: Scene): string {
  if (limit === null) return 'Measuring: the engine, and the job alone…'
  const job = jobMs === null ? 'no job' : `job ${Math.floor(jobMs / 1000)}s`
  const p90 = `p90 ${rounded(limit.p90_ms)}`
  const load = `in flight ${limit.in_flight} queued ${limit.queued} ${p90}`
  if (phase === 'free') return `No limiter, ${job}: ${limit.max_concurrent} slots, ${load}`
  const known = `baseline ${rounded(limit.baseline_ms)} ratio ${limit.ratio?.toFixed(2) ?? '-'}`
  const name = phase === 'windowed' ? 'Steps' : 'Limit'
  return `${name} ${limit.limit}/${limit.max_concurrent}, ${job}: ${load} ${known}`
}

const rounded = (value: number | null): string => (value === null ? '-' : `${Math.round(value)} ms`)
