import { cpus, loadavg } from 'node:os'
import { systemClock } from '@sluice/core'
import type { Client } from './clients/client.js'
import type { Paint } from './colour.js'
import { compare } from './compare.js'
import { INGEST_LENGTHS, playIngest } from './ingest/act.js'
import { ingestIntroduction, ingestLine, ingestReport } from './ingest/report.js'
import { doubtsAboutIngest } from './ingest/verdict.js'
import { type Progress, stageLine } from './progress.js'
import { introduction, report } from './report.js'
import { INGEST, QUOTA, type Service } from './service.js'
import { surgeIntroduction, surgeReport } from './surge/report.js'
import { sceneLine } from './surge/scene-line.js'
import { LENGTHS, playSurge } from './surge/surge.js'
import { doubtsAboutSurge } from './surge/verdict.js'

/** Where an act is shown, and what ends it. */
export interface Stage {
  readonly progress: Progress
  readonly paint: Paint
  readonly signal: AbortSignal
}

/** More calls than the quota allows. @returns whether the figures are to be believed @throws the signal's reason */
export async function showBurst(
  service: Service,
  clients: readonly Client[],
  calls: number,
  { progress, paint, signal }: Stage,
): Promise<boolean> {
  console.log(introduction(clients, { url: service.url, calls, quota: QUOTA }))
  const { figures, doubts } = await compare(service, {
    clients,
    calls,
    clock: systemClock,
    random: Math.random,
    signal,
    onStage: (stage) => progress.show(stageLine(stage)),
  })
  progress.clear()
  console.log(report(figures, { quota: QUOTA, doubts, paint }))
  return doubts.length === 0
}

/** A surge without a 429. @returns whether it was one @throws the signal's reason */
export async function showSurge(
  cores: number,
  { record, compare }: { readonly record: string | undefined; readonly compare: boolean },
  { progress, paint, signal }: Stage,
): Promise<boolean> {
  console.log(surgeIntroduction(cores, LENGTHS, compare))
  const figures = await playSurge({
    cores,
    record,
    compare,
    signal,
    lengths: LENGTHS,
    clock: systemClock,
    random: Math.random,
    onScene: (scene) => progress.show(sceneLine(scene)),
  })
  progress.clear()
  console.log(surgeReport(figures, paint))
  if (record !== undefined)
    console.log(
      `\nWhat the limiter was told is in ${record}. To see it again:\n\n  npm run -s sluice -- replay ${record}`,
    )
  return doubtsAboutSurge(figures).length === 0
}

/** A data source that runs away. @returns whether that was to be seen which was to be shown @throws the signal's reason */
export async function showIngest(service: Service, { progress, paint, signal }: Stage): Promise<boolean> {
  console.log(ingestIntroduction(INGEST_LENGTHS.flush))
  const figures = await playIngest({
    url: service.url,
    secret: service.secretOf(INGEST),
    lengths: INGEST_LENGTHS,
    clock: systemClock,
    signal,
    onScene: (scene) => progress.show(ingestLine(scene)),
  })
  progress.clear()
  console.log(ingestReport(figures, paint, { perMinute: loadavg()[0] ?? 0, processors: cpus().length }))
  return doubtsAboutIngest(figures).length === 0
}
