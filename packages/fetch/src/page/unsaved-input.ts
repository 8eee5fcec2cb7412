import type { PageLike } from './page-like.js'

/** A form field, or something else that is typed into. */
type Field = Element & Partial<Pick<HTMLInputElement, 'value' | 'defaultValue' | 'checked' | 'defaultChecked'>>

/**
 * Whether a reload would lose what somebody has typed. Frameworks change a field's default along with its value, so it
 * takes note of what is typed; what was there before it began to listen shows as a difference to the default.
 */
export class UnsavedInput {
  readonly #document: PageLike['document']
  readonly #typed = new Set<Field>()

  constructor({ document }: PageLike) {
    this.#document = document
    const note = (event: Event): void => {
      this.#forgetRemoved()
      const [field] = event.composedPath() // within a shadow root the target is hidden
      if (field) this.#typed.add(field as Field) // 'input' events come from elements
    }
    document?.addEventListener('input', note, { capture: true, passive: true })
  }

  get any(): boolean {
    this.#forgetRemoved()
    const fields = this.#document?.querySelectorAll<Field & HTMLInputElement>('input, textarea') ?? []
    return (
      [...this.#typed].some(({ value }) => value !== '') ||
      [...fields].some((field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked)
    )
  }

  #forgetRemoved(): void {
    for (const field of this.#typed) if (!field.isConnected) this.#typed.delete(field)
  }
}
