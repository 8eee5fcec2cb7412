import type { PageLike } from './page-like.js'

type Of = 'isConnected' | 'type' | 'defaultValue' | 'checked' | 'defaultChecked' | 'textContent'

/** A form field, or an editable element: that has a content in place of a value. */
interface Field extends Pick<HTMLInputElement, Of> {
  value?: string
  cloneNode(): object
  querySelector(selectors: string): object | null
}

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
      // Within a shadow root the target is hidden; 'input' events come from elements.
      const field = event.composedPath()[0] as unknown as Field | undefined
      if (field && !NOT_TYPED_INTO.test(field.type)) this.#typed.add(field)
    }
    document?.addEventListener('input', note, { capture: true, passive: true })
  }

  get any(): boolean {
    this.#forgetRemoved()
    // These have what a field has; of a text area nothing is checked.
    const fields = Array.from(this.#document?.querySelectorAll('input, textarea') ?? []) as Field[]
    return (
      [...this.#typed].some(holdsSomething) ||
      fields.some(
        (field) =>
          (!NOT_TYPED_INTO.test(field.type) && field.value !== untouched(field)) ||
          field.checked !== field.defaultChecked,
      )
    )
  }

  #forgetRemoved(): void {
    for (const field of this.#typed) if (!field.isConnected) this.#typed.delete(field)
  }
}

const holdsSomething = (field: Field): boolean =>
  (field.value ?? field.textContent?.trim()) !== '' || field.querySelector('img') !== null

/** The value that a field has from its default: of what does not fit into it a browser makes something that does. */
function untouched(field: Field): string | undefined {
  const { type, value, defaultValue } = field
  if (value === defaultValue) return value // most are so, and a copy costs something
  if (type === 'file') return '' // and nothing else can be put into it
  return Object.assign(field.cloneNode() as Field, { value: defaultValue }).value
}
