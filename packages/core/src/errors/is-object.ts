/** Objects of any realm: `instanceof Object` knows only its own. */
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
