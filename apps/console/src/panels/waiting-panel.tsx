import type { WaitingCall, WaitingCalls } from '@sluice/fetch/page'
import { useRetryState } from '@sluice/fetch/react'
import { Fragment, type ReactElement } from 'react'

/** The calls of this page that are being retried, all of them: as long as the banner is there, so are they. */
export function WaitingPanel({
  calls,
  timeOf,
}: {
  calls: WaitingCalls
  timeOf: (second: number) => string
}): ReactElement {
  const waiting = useRetryState(calls).waiting
  return (
    <section className="card" aria-labelledby="waiting">
      <h2 id="waiting">Calls of this page that wait</h2>
      {waiting.length === 0 ? (
        <p className="hint">None. What is throttled, or fails for a moment, shows here until it ends.</p>
      ) : (
        <div className="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Call</th>
                <th scope="col">Why</th>
                <th scope="col">Next attempt</th>
              </tr>
            </thead>
            <tbody>
              {waiting.map((call) => (
                <tr key={call.id}>
                  <td className="wrap">
                    {call.method} <BreakablePath path={new URL(call.url, location.href).pathname} />
                  </td>
                  <td className="wrap">{why(call)}</td>
                  <td className="wrap">
                    no. {call.attempt} {when(call, timeOf)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

/** May go on in the next line after each slash. */
function BreakablePath({ path }: { path: string }): ReactElement[] {
  return path.split(/(?<=.\/)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name, and are never moved
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ))
}

function when({ inFlight, offline, untilMs }: WaitingCall, timeOf: (second: number) => string): string {
  if (inFlight) return 'is under way'
  return offline ? 'when online' : `at ${timeOf(Math.ceil(untilMs / 1000))}`
}

function why({ class: kind, status, offline }: WaitingCall): string {
  if (offline) return 'offline'
  if (kind === 'throttle') return `throttled (${status})`
  return status === null ? 'no answer' : `failed (${status})`
}
