/** A module whose exports count the calls made through them. */
export interface EntryGuard<Module> {
  module: Module
  /** Calls and constructions through an export, or through a function an export returned, so far. */
  calls(): number
}

/** Wraps a module's exported functions and classes, so that a replay can tell whether it went through them. */
export function guardEntry<Module extends object>(module: Module): EntryGuard<Module> {
  let calls = 0
  const counted = (value: unknown): unknown => {
    if (typeof value !== 'function') return value
    return new Proxy(value, {
      apply(target, self, args) {
        calls += 1
        return counted(Reflect.apply(target, self, args))
      },
      construct(target, args, newTarget) {
        calls += 1
        return Reflect.construct(target, args, newTarget)
      },
    })
  }
  const entries = Object.entries(module).map(([name, value]) => [name, counted(value)])
  // The same names with the same types: a proxy of a function is called like the function.
  return { module: Object.fromEntries(entries) as Module, calls: () => calls }
}
