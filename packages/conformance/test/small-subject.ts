import type { Call, Ended, Subject } from '../src/index.js'

type Told = Exclude<Ended, { policy_error: string }>

/** Sends once, then again after each of these waits, whatever it meets, and tells of its end what it is given. */
export function sendsAfter(waits: readonly number[], told: Partial<Told> = {}): Subject {
  return {
    async call(call) {
      let response = await send(call)
      for (const wait of waits) {
        await response.body?.cancel()
        await new Promise<void>((resolve) => call.clock.timer(wait, resolve))
        response = await send(call)
      }
      return {
        outcome: response.status < 400 ? 'ok' : 'gave_up',
        status: response.status,
        failure: null,
        reason: response.status < 400 ? null : 'not_retryable',
        retry_after_ms: null,
        attempts: waits.length + 1,
        waited_ms: waits.reduce((sum, wait) => sum + wait, 0),
        ...told,
      }
    },
  }
}

/** One send of the call as it was asked for. */
export function send({ fetch, request, signal }: Call): Promise<Response> {
  const { method, url, headers, body } = request
  return fetch(url, { method, headers, signal, ...(body === 'none' ? {} : { body: 'text' }) })
}
