/** What is not to be seen: it could tell a model, or a terminal, what no person who looks would read. Lines stay. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u200B\u2060\uFEFF\u{E0000}-\u{E007F}]/gu

/** The text without control characters and others that nobody sees. */
export const visible = (text: string): string => text.replace(UNSEEN, '')

/**
 * Markdown and HTML of a description as plain text: links by their words, no images, no markup, no empty lines in a row.
 * Code keeps its words.
 */
export function plainText(markdown: string): string {
  return visible(markdown.replace(/\r\n?/g, '\n'))
    .replace(/<!--.*?-->/gs, '')
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(```|~~~).*$/gm, '')
    .replace(/^\s*>?\s*\[!\w+\]\s*$/gm, '')
    .replace(/^\s{0,3}(#{1,6}|>)\s+/gm, '')
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/gs, '$2')
    .replace(/`([^`\n]+)`/g, '$1')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** The text, or as many whole sentences of it as fit, else as many words. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text
  const start = text.slice(0, longest)
  const sentence = Math.max(...['. ', '.\n', '\n\n'].map((end) => start.lastIndexOf(end) + 1))
  if (sentence > longest / 3) return start.slice(0, sentence).trimEnd()
  const space = start.lastIndexOf(' ')
  return `${start.slice(0, space > longest / 3 ? space : longest).trimEnd()}…`
}
