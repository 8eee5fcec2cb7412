import { VirtualClock } from '@sluice/core/testing'
import { expect, it } from 'vitest'
import { Ending } from '../src/ending.js'

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGPIPE', 141],
] as const)('%s aborts once and gives exit code %i', async (signal, code) => {
  const ending = new Ending(new VirtualClock())
  expect(ending.signal.aborted).toBe(false)
  expect(ending.ask(signal)).toBe(false)
  await ending.asked
  expect(ending.signal.aborted).toBe(true)
  expect(ending.exitCode).toBe(code)
})

it('takes a signal that follows within a second for the same request, and a later one for impatience', async () => {
  const clock = new VirtualClock()
  const ending = new Ending(clock)
  ending.ask('SIGINT')
  await clock.advance(1000)
  expect(ending.ask('SIGINT')).toBe(false)
  await clock.advance(1)
  expect(ending.ask('SIGTERM')).toBe(true)
  expect(ending.exitCode).toBe(130)
})
