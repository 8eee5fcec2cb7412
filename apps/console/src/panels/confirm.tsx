import { type ReactElement, useEffect, useRef } from 'react'
import type { OwnerAct } from '../sources/owner-acts.js'

/** Asks once before something is done. Escape is a no; the focus goes back to where it was. */
export function Confirm({ act, onYes, onNo }: ConfirmProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    return () => {
      element?.close()
      // The browser cannot give it back once the dialog is taken out of the page.
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog ref={dialog} className="card confirm" aria-labelledby="confirm" aria-describedby="meaning" onCancel={onNo}>
      <h3 id="confirm">{act.question}</h3>
      <p id="meaning">{act.meaning}</p>
      <div className="acts">
        <button type="button" className="primary" onClick={onYes}>
          {act.label}
        </button>
        <button type="button" onClick={onNo}>
          Cancel
        </button>
      </div>
    </dialog>
  )
}

interface ConfirmProps {
  readonly act: OwnerAct
  readonly onYes: () => void
  readonly onNo: () => void
}
