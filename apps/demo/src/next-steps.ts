import type { Plan } from '@sluice/gateway'

/**
 * What to try while the gateway goes on serving. The token was made for this run: to be used is all it is for.
 * @param hasSources whether the ingest was played, and so there are data sources
 */
export function nextSteps(url: string, token: string, quota: Plan, hasSources: boolean): string {
  const authorization = `-H 'Authorization: Bearer ${token}'`
  const event = '[{"number":1,"departure":"2001-01-01T12:00:00Z","origin":"DFW","destination":"DEN"}]'
  const ingest = `
  # an event of yours: on disk when this is answered, and a second later in the engine
  curl -s ${authorization} \\
    -H 'Content-Type: application/json' -d '${event}' \\
    '${url}/v1/datasources/flights_d_to_l/events'
`
  return `The gateway goes on serving. To see its limit${hasSources ? ' and its data sources' : ''}, and to start the surge on it, in a browser:

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
${hasSources ? ingest : ''}
  # more than the interactive preset can get through, and the one that can
  npm start -- --once --act burst --calls 60 --background

Ctrl-C to stop.`
}
