import type uPlot from 'uplot'
import type { History } from '../status/history.js'

/**
 * Draws behind the lines when a batch job ran past the limit (a tinted band), when the engine was on hold (a hatched one),
 * and when it refused (a mark at the top).
 */
export function drawBehind(plot: uPlot, { times, figures }: History, colourOf: (property: string) => string): void {
  const { ctx, bbox } = plot
  const { past_limit, held, throttles } = figures
  const at = (index: number): number => plot.valToPos(times[index] ?? 0, 'x', true)
  const [first, last] = [plot.scales.x?.min ?? 0, plot.scales.x?.max ?? 0]
  const band = (values: readonly (number | null)[], draw: (x: number, width: number) => void): void => {
    for (let index = 0; index < times.length; index++) {
      if ((values[index] ?? 0) === 0) continue
      const from = index
      while (index + 1 < times.length && (values[index + 1] ?? 0) > 0) index++
      if ((times[index] ?? 0) < first || (times[from] ?? 0) > last) continue
      const [x, end] = [Math.max(bbox.left, at(from) - 1), Math.min(bbox.left + bbox.width, at(index) + 1)]
      draw(x, end - x)
    }
  }
  ctx.save()
  ctx.fillStyle = colourOf('--job')
  band(past_limit, (x, width) => ctx.fillRect(x, bbox.top, width, bbox.height))
  ctx.strokeStyle = colourOf('--c-throttle')
  ctx.lineWidth = 1
  band(held, (x, width) => hatch(ctx, x, bbox.top, width, bbox.height))
  ctx.fillStyle = colourOf('--c-throttle')
  for (let index = 0; index < times.length; index++) {
    const time = times[index] ?? 0
    if ((throttles[index] ?? 0) > 0 && time >= first && time <= last) mark(ctx, at(index), bbox.top)
  }
  ctx.restore()
}

function hatch(ctx: CanvasRenderingContext2D, x: number, y: number, width: number, height: number): void {
  ctx.save()
  ctx.beginPath()
  ctx.rect(x, y, width, height)
  ctx.clip()
  ctx.beginPath()
  for (let shift = -height; shift < width; shift += 10) {
    ctx.moveTo(x + shift, y + height)
    ctx.lineTo(x + shift + height, y)
  }
  ctx.stroke()
  ctx.restore()
}

function mark(ctx: CanvasRenderingContext2D, x: number, y: number): void {
  const size = 6 * devicePixelRatio
  ctx.beginPath()
  ctx.moveTo(x - size, y)
  ctx.lineTo(x + size, y)
  ctx.lineTo(x, y + size * 1.5)
  ctx.fill()
}
