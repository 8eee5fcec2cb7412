import type { Plan } from '@sluice/gateway'

/** What to try while the gateway goes on serving. The token was made for this run: to be used is all it is for. */
export function nextSteps(url: string, token: string, quota: Plan): string {
  const authorization = `-H 'Authorization: Bearer ${token}'`
  return `The gateway goes on serving. To see its limit, and to start the surge on it, in a browser:

  ${url}/#token=${token}

To try next, in another terminal:

  # what there is to ask
  curl -s ${authorization} \\
    '${url}/v1/pipes'

  # one question, with its quota in the headers
  curl -i ${authorization} \\
    '${url}/v1/pipes/flights_per_day?to=2001-01-07'

  # ${2 * quota.burst} in a row, more than ${quota.burst} at once: 429, and when to come back
  curl -s -o /dev/null -D - \\
    ${authorization} \\
    '${url}/v1/pipes/busiest_routes?limit=[1-${2 * quota.burst}]' \\
    | grep -iE '^(http|retry-after|ratelimit:)'

  # more than the interactive preset can get through, and the one that can
  npm start -- --once --calls 60 --background

Ctrl-C to stop.`
}
