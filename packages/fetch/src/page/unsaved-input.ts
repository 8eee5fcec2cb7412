import type { PageLike } from './page-like.js'

/** A form field, or something else that is typed into. */
type Field = Pick<HTMLInputElement, 'isConnected' | 'type' | 'value' | 'defaultValue' | 'checked' | 'defaultChecked'>

/** These have a value of their own making, such as `on` or `50`, in a page that nobody has touched. */
const NOT_TYPED_INTO = /^(checkbox|radio|range|color)$/

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
      if (field) this.#typed.add(field as unknown as Field) // 'input' events come from elements
    }
    document?.addEventListener('input', note, { capture: true, passive: true })
  }

  get any(): boolean {
    this.#forgetRemoved()
    // These have what a field has; of a text area nothing is checked.
    const fields = Array.from(this.#document?.querySelectorAll('input, textarea') ?? []) as Field[]
    return (
      [...this.#typed].some(({ value }) => value !== '') ||
      fields.some(
        ({ type, value, defaultValue, checked, defaultChecked }) =>
          (value !== defaultValue && !NOT_TYPED_INTO.test(type)) || checked !== defaultChecked,
      )
    )
  }

  #forgetRemoved(): void {
    for (const field of this.#typed) if (!field.isConnected) this.#typed.delete(field)
  }
}
