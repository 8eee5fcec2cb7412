import { BrandedError } from './brand.js'

/** The limiter was disposed while the call waited, or before it asked (L16). This attempt was not sent. */
export class LimiterDisposedError extends BrandedError {
  constructor() {
    super('LimiterDisposedError', 'the limiter was disposed; make a new one to go on')
  }
}
