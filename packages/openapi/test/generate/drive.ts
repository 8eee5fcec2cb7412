import { serve, throttledOnce } from './throttling-server.js'

/** What one function of an SDK did. */
export interface Driven {
  readonly name: string
  /** `GET /items/x`, one entry a send. */
  readonly sends: readonly string[]
  /** Of the result. */
  readonly status: number | undefined
}

type SdkFunction = (options: object) => Promise<{ readonly response?: Response }>

/** Any parameter of a path has the value x. */
const anyPath: object = new Proxy({}, { get: () => 'x' })

/** Calls every function of a compiled SDK, with nothing set up but the base URL, against a server that throttles first. */
export async function driveAll(sdkFile: string): Promise<Driven[]> {
  const sdk: Record<string, SdkFunction> = await import(sdkFile)
  const server = await serve(throttledOnce)
  try {
    const driven: Driven[] = []
    const names = Object.keys(sdk)
    while (names.length > 0) {
      const some = names.splice(0, TOGETHER).map(async (name): Promise<Driven> => {
        const options = { baseUrl: server.url, path: anyPath, headers: { 'x-call': name } }
        const bare = /\.(get|head)\(\{/.test(String(sdk[name])) // the platform sends no body with these
        const result = await sdk[name]?.(bare ? options : { ...options, body: {} })
        const sends = server.arrivals.filter(({ headers }) => headers['x-call'] === name)
        return { name, sends: sends.map(({ method, url }) => `${method} ${url}`), status: result?.response?.status }
      })
      driven.push(...(await Promise.all(some)))
    }
    return driven
  } finally {
    await server.close()
  }
}

const TOGETHER = 50
