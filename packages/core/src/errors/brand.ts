import { causes } from './causes.js'
import { isObject } from './is-object.js'

/** In the global registry: an error of another copy of this package carries the same brand. */
const BRAND = Symbol.for('sluice.error')

/** Base of every error of this library: `name` is its class's, also in minified code, and recognisable across copies. */
export abstract class BrandedError extends Error {
  constructor(brand: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = brand
    Object.defineProperty(this, BRAND, { value: brand })
  }
}

export const isBranded = (value: unknown, brand: string): boolean =>
  isObject(value) && (value as { [BRAND]?: unknown })[BRAND] === brand

/** The first error of this brand in a chain of causes. */
export const findBranded = (error: unknown, brand: string): object | undefined =>
  causes(error).find((link) => isBranded(link, brand))
