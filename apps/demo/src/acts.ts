import { systemClock } from '@sluice/core'
import type { Client } from './clients/client.js'
import type { Paint } from './colour.js'
import { compare } from './compare.js'
import { type Progress, stageLine } from './progress.js'
import { introduction, report } from './report.js'
import { QUOTA, type Service } from './service.js'
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
