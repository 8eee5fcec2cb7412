/** What may take the focus in place of something in it, and is announced by its name. */
const PLACES = 'section, main'

/**
 * Where what has the focus is taken out of the page, as a button is that has done what it was for, the browser gives the
 * focus to the body: whoever uses the keyboard or a screen reader begins at the top again. From here it goes to the
 * nearest section that is still there, or else to the heading of the page. Whoever knows a better place gives it there first.
 */
export function keepFocus(root: HTMLElement): void {
  let last: Element | null = null
  let places: HTMLElement[] = []
  const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body
  root.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return
    last = target
    places = [...root.querySelectorAll<HTMLElement>(PLACES)].filter((it) => it !== target && it.contains(target))
  })
  // Whoever presses beside everything wants it nowhere. An element that goes is out of the page by the next microtask.
  root.addEventListener('focusout', ({ target }) =>
    queueMicrotask(() => {
      if (target === last && last?.isConnected && isLost()) last = null
    }),
  )
  new MutationObserver(() => {
    if (last === null || last.isConnected || !isLost()) return
    last = null
    const to = places.filter((it) => it.isConnected).at(-1) ?? root.querySelector<HTMLElement>('h1')
    if (to !== null) focusOnce(to)
  }).observe(root, { childList: true, subtree: true })
}

/** What is no control can have the focus for as long as it keeps it. */
function focusOnce(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element.focus({ preventScroll: true })
}
