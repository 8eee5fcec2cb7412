const INSPECT = Symbol.for('nodejs.util.inspect.custom')

/** Lets `console.log` and `JSON.stringify` show `what` in place of the object's own fields. @returns the object */
export function showAs<T extends object>(object: T, name: string, what: () => Record<string, unknown>): T {
  const inspect = (_depth: number, _options: unknown, print?: (value: unknown) => string): string =>
    `${name} ${(print ?? JSON.stringify)(what())}`
  return Object.defineProperties(object, { [INSPECT]: { value: inspect }, toJSON: { value: what } })
}
