import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'

/** A caller who means well, beside an attack: what it asked, and how long it waited at most. */
export interface Bystander {
  stop(): Promise<{ readonly asked: number; readonly slowestMs: number }>
}

/** Sends an event and runs a pipe in turn, until it is stopped; each answer must be right. */
export function standBy(url: string, secret: string): Bystander {
  let isStopped = false
  const headers = { authorization: `Bearer ${secret}` }
  const run = async () => {
    let [asked, slowestMs] = [0, 0]
    while (!isStopped) {
      const sinceMs = performance.now()
      const sent = await fetch(`${url}/v1/datasources/clicks/events`, {
        ...{ method: 'POST', headers: { ...headers, 'content-type': 'application/json' } },
        body: JSON.stringify([{ id: asked, text: 'of a bystander' }]),
      })
      expect([sent.status, await sent.json()]).toMatchObject([202, { accepted: 1, quarantined: 0 }])
      const read = await fetch(`${url}/v1/pipes/one?text=x`, { headers })
      expect([read.status, (await read.json()).data]).toEqual([200, [{ text: 'x' }]])
      asked += 1
      slowestMs = Math.max(slowestMs, performance.now() - sinceMs)
      await sleep(5)
    }
    return { asked, slowestMs }
  }
  const running = run()
  running.catch(() => undefined) // told where it is stopped
  return {
    stop: () => {
      isStopped = true
      return running
    },
  }
}
