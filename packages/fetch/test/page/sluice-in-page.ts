// A script of a page, or of a worker: the entry as a global, for a test to use by hand.
import * as sluice from '@sluice/fetch/page'

Object.assign(globalThis, { sluice })
