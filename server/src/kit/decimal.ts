import { roundToUnits } from '@counterfoil/contract/kit/money'
import { BadRow, quoteValue } from '../imports/bad-row.ts'

/** How many decimals an amount or a quantity may have and keep. */
const DECIMALS = 18
const WHOLE_DIGITS = 20

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/

/**
 * A number, plain ("-0.50") or in E notation ("1E-7", which FOCUS 1.0 allows), as the plain decimal text of the very same value:
 * without a needless zero, sign or exponent.
 * @throws BadRow when it is no number, has more than 18 decimals that matter, or more than 20 digits before the point
 */
export const plainDecimal = (column: string, text: string): string => {
  const parts = NUMBER.exec(text)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts ?? []
  if (parts === null || whole + fraction === '') throw new BadRow(`${column}: ${quoteValue(text)} is not a number`)
  const digits = (whole + fraction).replace(/0+$/, '')
  const significant = digits.replace(/^0+/, '')
  if (significant === '') return '0'
  const pointAt = whole.length + Number(exponent) - (digits.length - significant.length) // digits of `significant` before the point
  if (significant.length - pointAt > DECIMALS) throw new BadRow(`${column}: ${quoteValue(text)} has more than ${DECIMALS} decimals`)
  if (pointAt > WHOLE_DIGITS) throw new BadRow(`${column}: ${quoteValue(text)} is too large`)
  return (sign === '-' ? '-' : '') + withPoint(significant, pointAt)
}

const withPoint = (significant: string, pointAt: number): string => {
  if (pointAt <= 0) return `0.${'0'.repeat(-pointAt)}${significant}`
  if (pointAt >= significant.length) return significant.padEnd(pointAt, '0')
  return `${significant.slice(0, pointAt)}.${significant.slice(pointAt)}`
}

/** A plain decimal as whole units of 10^-18: what sums are made of. */
export const unitsOf = (decimal: string): bigint => roundToUnits(decimal, DECIMALS)

/** Units of 10^-18 as the shortest exact decimal text. */
export const decimalOf = (units: bigint): string => {
  const digits = (units < 0n ? -units : units).toString().padStart(DECIMALS + 1, '0')
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`
}
