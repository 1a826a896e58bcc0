/** The largest number of decimals that a JSON number can carry. */
const MAX_DECIMALS = 20

/** A number as decimal text without an exponent, unrounded: spreadsheets misread exponents, and exact sums do not take them. */
export const toPlainDecimal = (value: number): string => {
  const text = String(value)
  return text.includes('e') ? value.toFixed(MAX_DECIMALS).replace(/\.?0+$/, '') : text
}
