/** The quantile for 1 to 30 degrees of freedom (Abramowitz and Stegun, table 26.10, to more digits). */
const FEW = [
  12.7062047362, 4.3026527297, 3.1824463053, 2.7764451052, 2.5705818356, 2.4469118511, 2.3646242516, 2.3060041352,
  2.2621571628, 2.228138852, 2.2009851601, 2.1788128297, 2.1603686565, 2.1447866879, 2.1314495456, 2.1199052992,
  2.1098155778, 2.1009220402, 2.0930240544, 2.0859634473, 2.0796138447, 2.0738730679, 2.0686576104, 2.0638985616,
  2.0595385528, 2.0555294386, 2.0518305165, 2.0484071418, 2.0452296421, 2.0422724563,
]
const NORMAL = 1.959963984540054

/**
 * The 97.5 % quantile of Student's t, so that 95 % lie within it on both sides. Beyond 30 degrees of freedom by the
 * expansion about the normal distribution (Abramowitz and Stegun, 26.7.5), which is right to six digits there.
 *
 * @param freedom whole, at least 1
 */
export function studentQuantile(freedom: number): number {
  const known = FEW[freedom - 1]
  if (known !== undefined) return known
  const z = NORMAL
  const first = (z ** 3 + z) / 4
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384
  return z + first / freedom + second / freedom ** 2 + third / freedom ** 3
}
