/** Nobody reads our output any more: `sluice … | head` has seen enough. Not an error of ours. */
export class ReaderGoneError extends Error {
  constructor() {
    super('the reader of our output has gone')
    this.name = 'ReaderGoneError'
  }
}
