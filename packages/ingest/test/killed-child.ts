import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'

/** Runs a program until it has printed more than so many lines, then kills it (-9). @returns the lines that came whole */
export async function killedAfter(lines: number, program: string, args: readonly string[]): Promise<string[]> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  let text = ''
  let printed = 0
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk
    printed += chunk.filter((byte) => byte === 10).length
    if (printed > lines) child.kill('SIGKILL')
  })
  await closed
  expect(child.signalCode).toBe('SIGKILL')
  return text.split('\n').slice(0, -1)
}
