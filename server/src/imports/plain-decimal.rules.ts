import { EXACT_DIGITS, unitsToText } from '@counterfoil/contract/kit/decimal'
import { BadRow, quoteValue } from './bad-row.ts'

const WHOLE_DIGITS = 20

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/

/** A comma before decimals, as in "12,5". */
const COMMA = /^([+-]?\d*),(\d+(?:[eE][+-]?\d{1,9})?)$/
/** Thousands in groups, with or without decimals, as in "1.234,56" and "1,234,567". */
const GROUPED = /^([+-]?[1-9]\d{0,2}(?:([.,' \u00A0\u202F’])\d{3})(?:\2\d{3})*)(?:([.,])(\d+))?$/
/** What may be a group of thousands or three decimals. */
const TWO_MEANINGS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/

/** @throws BadRow for a number such as 1.234 or 1,234, in which the mark may separate thousands or decimals */
export const assertOneMeaning = (column: string, raw = ''): void => {
  const text = raw.trim()
  if (!TWO_MEANINGS.test(text)) return
  const [decimal, whole] = [text.replace(',', '.'), text.replace(/[.,]/, '')]
  throw new BadRow(
    `${column}: ${quoteValue(text)} can mean ${decimal} or ${whole}; write a decimal point, no separator of thousands, and commas between the columns`,
  )
}

/**
 * A number as spreadsheets write it in other languages, rewritten with a decimal point and without separators of thousands; any other text
 * as it is.
 * @throws BadRow when the number may be two
 */
const withDecimalPoint = (column: string, text: string): string => {
  assertOneMeaning(column, text)
  const [, before = '', after = ''] = COMMA.exec(text) ?? []
  if (after !== '') return `${before}.${after}`
  const [, whole = '', group = '', mark = '', decimals = ''] = GROUPED.exec(text) ?? []
  return whole === '' || group === mark ? text : `${whole.replaceAll(group, '')}.${decimals}`
}

/** What may be done with a number that cannot be kept as it is. */
interface DecimalLimits {
  /** Called where further digits than 18 decimals are rounded off; without it such a number is refused. */
  readonly onRounded?: (() => void) | undefined
  /** The digits before the point: 20, and more for quantities, which nobody has to pay. */
  readonly wholeDigits?: number
}

/** The digits before the point of a quantity. Providers write those of bytes in E notation. */
export const QUANTITY_DIGITS = 40

/**
 * A number, plain ("-0.50"), in E notation ("1E-7", which FOCUS 1.0 allows) or with a decimal comma, as the plain decimal text of the very
 * same value, or of that rounded half to even to 18 decimals: without a needless zero, sign or exponent.
 * @throws BadRow when it is no number or may be two, has too many digits before the point, or further decimals that may not be rounded off
 */
export const plainDecimal = (column: string, text: string, { onRounded, wholeDigits = WHOLE_DIGITS }: DecimalLimits = {}): string => {
  const parts = NUMBER.exec(text) ?? NUMBER.exec(withDecimalPoint(column, text))
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts ?? []
  if (parts === null || whole + fraction === '') throw new BadRow(`${column}: ${quoteValue(text)} is not a number`)
  const digits = (whole + fraction).replace(/0+$/, '')
  const significant = digits.replace(/^0+/, '')
  if (significant === '') return '0'
  const pointAt = whole.length + Number(exponent) - (digits.length - significant.length) // digits of `significant` before the point
  if (pointAt > wholeDigits) throw new BadRow(`${column}: ${quoteValue(text)} is too large`)
  if (significant.length - pointAt <= EXACT_DIGITS) return (sign === '-' ? '-' : '') + withPoint(significant, pointAt)
  if (onRounded === undefined) throw new BadRow(`${column}: ${quoteValue(text)} has more than ${EXACT_DIGITS} decimals`)
  onRounded()
  const rounded = unitsToText(roundHalfEven(significant, pointAt + EXACT_DIGITS), EXACT_DIGITS).replace(/\.?0+$/, '')
  return sign === '-' && rounded !== '0' ? `-${rounded}` : rounded
}

/** The first `kept` digits as a whole number, rounded by those that follow. @param kept how many, which may be fewer than none */
const roundHalfEven = (digits: string, kept: number): bigint => {
  if (kept < 0) return 0n
  const [whole, rest] = [BigInt(digits.slice(0, kept)), digits.slice(kept)]
  const isUp = rest > '5' || (rest === '5' && whole % 2n === 1n)
  return isUp ? whole + 1n : whole
}

/** A plain decimal of these digits with the point after so many of them. */
const withPoint = (significant: string, pointAt: number): string => {
  if (pointAt <= 0) return `0.${'0'.repeat(-pointAt)}${significant}`
  if (pointAt >= significant.length) return significant.padEnd(pointAt, '0')
  return `${significant.slice(0, pointAt)}.${significant.slice(pointAt)}`
}
