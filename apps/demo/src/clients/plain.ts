import type { Client } from './client.js'

/** The platform's fetch as it is. */
export const plain: Client = {
  id: 'plain',
  name: 'plain fetch',
  manner: 'sends each call once',
  make: ({ transport }) => ({ call: (url, init) => transport(url, init) }),
}
