const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

/**
 * The values of the gridlines, from 0 to a round number at or above `max`.
 *
 * @param gridlines  the number of lines including the zero line; at least 2
 */
export const gridlineValues = (max: number, gridlines: number): readonly number[] => {
  const step = toRoundStep(Math.max(max, 0) / (gridlines - 1))
  return Array.from({ length: gridlines }, (_, i) => Number((i * step).toPrecision(12)))
}

/** The smallest round step not below `minStep`; 1 for 0. */
const toRoundStep = (minStep: number): number => {
  if (minStep <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(minStep))
  return power * (STEPS.find((step) => step * power >= minStep * (1 - 1e-9)) ?? 10)
}
