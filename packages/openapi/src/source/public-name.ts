/** How messages call a source: a URL without what may be secret in it. */
export function publicName(source: string): string {
  if (source === '-') return '<stdin>'
  if (!isUrl(source)) return source
  const { origin, pathname } = new URL(source)
  return origin + pathname
}

export const isUrl = (source: string): boolean => /^https?:\/\//i.test(source) && URL.canParse(source)
