import { EXACT_DIGITS } from '@counterfoil/contract/kit/decimal'
import { BadRow, quoteValue } from './bad-row.ts'

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
  if (significant.length - pointAt > EXACT_DIGITS) throw new BadRow(`${column}: ${quoteValue(text)} has more than ${EXACT_DIGITS} decimals`)
  if (pointAt > WHOLE_DIGITS) throw new BadRow(`${column}: ${quoteValue(text)} is too large`)
  return (sign === '-' ? '-' : '') + withPoint(significant, pointAt)
}

const withPoint = (significant: string, pointAt: number): string => {
  if (pointAt <= 0) return `0.${'0'.repeat(-pointAt)}${significant}`
  if (pointAt >= significant.length) return significant.padEnd(pointAt, '0')
  return `${significant.slice(0, pointAt)}.${significant.slice(pointAt)}`
}
