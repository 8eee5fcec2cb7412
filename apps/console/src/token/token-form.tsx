import { type FormEvent, type ReactElement, useEffect, useRef, useState } from 'react'

/** Asks for the token, once for this tab. */
export function TokenForm({ refused, onToken }: { refused: boolean; onToken: (token: string) => void }): ReactElement {
  const [token, setToken] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // There is nothing else to do here; and whoever came by "Forget token" had the focus on a button that is gone.
  useEffect(() => {
    field.current?.focus()
  }, [])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (token.trim() !== '') onToken(token.trim())
  }
  return (
    <main className="token">
      <form className="card" onSubmit={submit}>
        <h1>Sluice console</h1>
        <p>The gateway shows how it is doing to whoever has a token for it. It is kept in this tab alone.</p>
        <label htmlFor="token">Token</label>
        <input
          id="token"
          ref={field}
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          value={token}
          aria-invalid={refused}
          aria-describedby={refused ? 'refused' : undefined}
          onChange={(event) => setToken(event.target.value)}
        />
        {refused && (
          <p id="refused" className="failure" role="alert">
            The gateway does not take this token. Ask whoever runs it for one.
          </p>
        )}
        <button type="submit" className="primary">
          Open
        </button>
      </form>
    </main>
  )
}
