import { describe, expect, it } from 'vitest'
import { asctime, imfFixdate, rfc850, wholeSecondAfter } from '../src/matrix/probes/http-date.js'

describe('the three forms of RFC 9110 §5.6.7', () => {
  // The example of that section.
  const moment = Date.UTC(1994, 10, 6, 8, 49, 37)

  it('writes each as the RFC does', () => {
    expect(imfFixdate(moment)).toBe('Sun, 06 Nov 1994 08:49:37 GMT')
    expect(rfc850(moment)).toBe('Sunday, 06-Nov-94 08:49:37 GMT')
    expect(asctime(moment)).toBe('Sun Nov  6 08:49:37 1994')
  })

  it('rounds up to a whole second, since no form has parts of one', () => {
    expect(wholeSecondAfter(1_000_001, 1000)).toBe(1_002_000)
    expect(wholeSecondAfter(1_000_000, 1000)).toBe(1_001_000)
  })
})
