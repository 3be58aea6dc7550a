/**
 * The ends of a scale around some values, which with its middle are round numbers of two digits. It goes below 0 only
 * if a value does.
 *
 * @param step half of the scale at least.
 */
export function closeScale(
  least: number,
  most: number,
  step = Math.max(most - least, most / 5, 2) / 2,
): [number, number] {
  const unit = 10 ** Math.floor(Math.log10(step));
  const half = ([1, 2, 5].find((one) => one * unit >= step) ?? 10) * unit;
  const bottom = Math.max(least < 0 ? -Infinity : 0, Math.round((least + most) / 2 / half - 1) * half);
  const top = bottom + 2 * half;
  return bottom <= least && top >= most ? [bottom, top] : closeScale(least, most, half * 1.5);
}
