import type { ServerResponse } from 'node:http'

/** Ends a response the way these services do: a JSON body, and what the headers add. */
export const answer = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
