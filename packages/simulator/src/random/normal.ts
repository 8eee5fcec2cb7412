/** Coefficients of Wichura's algorithm AS 241 (PPND16), Applied Statistics 37 (1988), pp. 477–484. */
const A = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
  33430.57558358813, 2509.0809287301227,
]
const B = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943,
  5226.495278852546,
]
const C = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
  0.022723844989269184, 0.0007745450142783414,
]
const D = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
  0.0005475938084995345, 1.0507500716444169e-9,
]
const E = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
  0.0012426609473880784, 0.000027115555687434876, 2.0103343992922881e-7,
]
const F = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 0.000018463183175100548,
  1.421511758316446e-7, 2.0442631033899397e-15,
]

/**
 * The quantile of the standard normal distribution. It needs one uniform number for each normal one, so that streams stay
 * in step, and of functions that engines may compute differently only the logarithm, and that in the tails alone.
 *
 * @param p in (0, 1)
 */
export function normalQuantile(p: number): number {
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q
    return (q * polynomial(A, r)) / polynomial(B, r)
  }
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p))
  const x = r <= 5 ? polynomial(C, r - 1.6) / polynomial(D, r - 1.6) : polynomial(E, r - 5) / polynomial(F, r - 5)
  return q < 0 ? -x : x
}

function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0
  for (let at = coefficients.length - 1; at >= 0; at--) sum = sum * x + (coefficients[at] ?? 0)
  return sum
}
