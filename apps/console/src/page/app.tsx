import { type ReactElement, useCallback, useEffect, useState } from 'react'
import { canBeToken, tabToken } from '../token/keep-token.js'
import { TokenForm } from '../token/token-form.js'
import { Console } from './console.js'
import type { Means } from './means.js'

/** The page: asks for a token, then shows the console. */
export function App({ means }: { means: Means }): ReactElement {
  const { place } = means
  const [tab] = useState(() => tabToken(place))
  const [token, setToken] = useState(tab.take)
  const [refused, setRefused] = useState(false)

  // A link that is pasted into this tab changes nothing but the fragment.
  useEffect(() => {
    const take = (): void => setToken(tab.take())
    place.addEventListener('hashchange', take)
    return () => place.removeEventListener('hashchange', take)
  }, [place, tab])

  const leave = useCallback(
    (refused: boolean): void => {
      tab.forget()
      setToken(null)
      setRefused(refused)
    },
    [tab],
  )
  const onRefused = useCallback(() => leave(true), [leave])
  const onForget = useCallback(() => leave(false), [leave])
  const onToken = (given: string): void => {
    tab.keep(given)
    setToken(given)
  }

  // Not asked of the gateway: it would not arrive there.
  const impossible = token !== null && !canBeToken(token)
  useEffect(() => {
    if (impossible) leave(true)
  }, [impossible, leave])

  if (token === null || impossible) return <TokenForm refused={refused} onToken={onToken} />
  return <Console key={token} token={token} means={means} onRefused={onRefused} onForget={onForget} />
}
