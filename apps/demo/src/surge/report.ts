import { aligned } from '../aligned.js'
import type { Paint } from '../colour.js'
import { wrap } from '../wrap.js'
import { type Light, lowestLimit, type Part, partsOf, type SurgeFigures, slowdown } from './figures.js'
import { CALLERS, jobThreads, SLOTS } from './sizing.js'
import { scaleOf, sketch } from './sketch.js'
import { type Lengths, MIN_SAMPLES, WINDOW_MS } from './surge.js'
import { doubtsAboutSurge, surgeVerdict } from './verdict.js'

/** Said before the act. */
export function surgeIntroduction(cores: number, lengths: Lengths, compare = false): string {
  return [
    wrap(
      `A surge without a single 429. ${CALLERS} callers ask a gateway light questions, ${SLOTS} of which its engine runs at once. ` +
        `Then a batch job begins in the same engine, on ${jobThreads(cores)} threads (${cores} processors), which nobody limits. ` +
        'The engine refuses nobody: everything just gets slower, the job by the callers and the callers by the job. ' +
        (compare
          ? 'It is played three times: without the adaptive limit, with its steps (windowed) and with its knee, the default.'
          : 'It is played twice, without the adaptive limit and with it.'),
    ),
    '',
    wrap(
      `So that a minute is enough to watch, the limiter has windows of ${WINDOW_MS / 1000} s in place of 10, smoothed over ` +
        `${lengths.smoothing / 1000} s in place of 20, and ${MIN_SAMPLES} answers make one count. ` +
        'What is ordinary is not learned but stated: ' +
        'the p90 that the first part measured before its job.',
    ),
    '',
  ].join('\n')
}

/** Said after it. */
export function surgeReport(figures: SurgeFigures, paint: Paint): string {
  const { free, windowed, limited } = figures
  const doubts = doubtsAboutSurge(figures)
  const scale = scaleOf(partsOf(figures), SLOTS)
  const lines = [
    table(figures, paint),
    '',
    paint('bold', 'Second by second, without the limiter'),
    ...sketch(free, scale),
    ...(windowed === null ? [] : [paint('bold', 'with its steps (windowed)'), ...sketch(windowed, scale)]),
    paint('bold', windowed === null ? 'and with it' : 'and with its knee'),
    ...sketch(limited, scale),
    '',
  ]
  if (doubts.length > 0)
    return [...lines, paint('red', 'These figures are not to be trusted:'), ...doubts.map((it) => wrap(it))].join('\n')
  return [...lines, ...surgeVerdict(figures).map((it) => wrap(it))].join('\n')
}

const HEAD = ['', 'job took', '× alone', 'answers/s', 'p90 engine', 'p90 in all', 'limit']

function table(figures: SurgeFigures, paint: Paint): string {
  const { free, windowed, limited, aloneMs } = figures
  const [before, after] = aloneMs
  const alone = ['job alone', seconds((before + after) / 2), '1.0']
  const callers = ['callers alone', '', '', ...lightCells(free.calm)]
  const rows = [
    HEAD,
    alone,
    callers,
    row('beside the callers', free, slowdown(figures, free)),
    ...(windowed === null ? [] : [row('with its steps', windowed, slowdown(figures, windowed))]),
    row(windowed === null ? 'with the limiter' : 'with its knee', limited, slowdown(figures, limited)),
  ]
  return aligned(rows, paint)
}

function row(name: string, part: Part, times: number): string[] {
  return [name, seconds(part.jobMs), times.toFixed(1), ...lightCells(part.surge), `${lowestLimit(part)}`]
}

function lightCells({ perSecond, engineMs, tookMs }: Light): string[] {
  return [perSecond.toFixed(0), `${Math.round(engineMs)} ms`, `${Math.round(tookMs)} ms`]
}

const seconds = (value: number): string => `${(value / 1000).toFixed(1)} s`
