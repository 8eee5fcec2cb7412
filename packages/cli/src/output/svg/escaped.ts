/** For text and attributes; what XML cannot hold at all is left out, and what turns the order of letters around. */
export const escaped = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}\uFFFE\uFFFF]/gu, ' ')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
