import type { Client } from './client.js'

const MOST_SENDS = 10
const PAUSE_MS = 200

/** The loop that people write in a minute: not ok, so again after a moment, whatever the server said. */
export const naive: Client = {
  id: 'naive',
  name: 'naive retry loop',
  manner: `sends again after ${PAUSE_MS} ms, up to ${MOST_SENDS} times in all`,
  make: ({ transport, clock }) => ({
    async call(url, init) {
      for (let sends = 1; ; sends += 1) {
        const response = await transport(url, init)
        if (response.ok || sends === MOST_SENDS) return response
        await new Promise<void>((resolve) => clock.timer(PAUSE_MS, resolve))
      }
    },
  }),
}
