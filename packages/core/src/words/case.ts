/** `max_attempts` → `maxAttempts`: the tables' words in code. */
export const camel = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** `maxAttempts` → `max_attempts` */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
