/** What one send meets: a response, or a failure instead of one. Times are milliseconds. */
export type Answer =
  | {
      status: number
      headers?: Readonly<Record<string, string>>
      /** Default: a short text, so that there is a body to let go. */
      body?: string
      /** From send to response headers; default 0. */
      after_ms?: number
      /** From headers to the end of the body; default 0. */
      body_ms?: number
    }
  | {
      /** `connect`, `network:<CODE>`, or `timeout`: without `after_ms` a send that is never answered. */
      failure: string
      after_ms?: number
    }
