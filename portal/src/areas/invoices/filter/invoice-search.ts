import type { Invoice } from '@counterfoil/contract/invoices'
import { pageLocale } from '../../../format/locale.ts'

/** A typed text that may be an amount: digits and separators, with a sign before them and a currency before or behind. */
const AMOUNT = /^[-−]?\s*\p{L}{0,3}\p{Sc}?\s*(\d[\d.,\s'’]*?)\s*\p{L}{0,3}\p{Sc}?$/u
/** What stands between groups of digits in some language, besides the full stop and the comma. */
const GROUP_SEPARATOR = /[\s'’]/g
const ARABIC_DIGITS = /[٠-٩۰-۹]/g
/** What people leave out of a number or add to it when they type it. */
const PUNCTUATION = /[\s\p{P}]/gu

type SearchedInvoice = Pick<Invoice, 'number' | 'amount' | 'amountDue'>

/**
 * A predicate that finds invoices by a part of their number, or by their amount or amount due (EASE-05). An amount may be typed with
 * or without separators; without decimals it means every amount of that many whole units.
 */
export const invoiceSearch = (typed: string): ((invoice: SearchedInvoice) => boolean) => {
  const text = typed.trim().toLowerCase()
  if (text === '') return () => true
  const compactText = text.replaceAll(PUNCTUATION, '')
  const amounts = typedAmounts(text)
  return ({ number, amount, amountDue }) => {
    const lowerCase = number.toLowerCase()
    if (lowerCase.includes(text)) return true
    if (compactText !== '' && lowerCase.replaceAll(PUNCTUATION, '').includes(compactText)) return true
    return amounts.some((sought) => isAmount(amount, sought) || isAmount(amountDue, sought))
  }
}

/** Digits before the decimal separator, and those behind it; null where none was typed. */
interface TypedAmount {
  readonly whole: string
  readonly fraction: string | null
}

/** Whether the amount, without its sign, is the typed one; its decimals need only begin with the typed ones. */
const isAmount = (amount: number, { whole, fraction }: TypedAmount): boolean => {
  const [ownWhole = '', ownFraction = ''] = String(Math.abs(amount)).split('.')
  return ownWhole === whole && (fraction === null || ownFraction.padEnd(fraction.length, '0').startsWith(fraction))
}

/** The amounts that a text can mean, with the decimal separator of the reader's language and with the other one; none for no amount. */
const typedAmounts = (text: string): TypedAmount[] => {
  const digits = AMOUNT.exec(toLatin(text))?.[1]?.replaceAll(GROUP_SEPARATOR, '')
  if (digits === undefined) return []
  const decimal = decimalSeparator()
  const meanings = [splitAt(digits, decimal), splitAt(digits, decimal === ',' ? '.' : ',')]
  return meanings.filter((meaning) => meaning !== null)
}

/** Reads digits with this decimal separator; null where the separators contradict it. */
const splitAt = (digits: string, decimal: '.' | ','): TypedAmount | null => {
  const [whole = '', fraction = null, ...more] = digits.split(decimal)
  const group = decimal === '.' ? ',' : '.'
  if (more.length > 0 || fraction?.includes(group) || !isGrouped(whole, group)) return null
  return { whole: whole.replaceAll(group, '').replace(/^0+(?=\d)/, ''), fraction }
}

/** Whether the digits stand in groups as numbers have them: of three digits, or two as in India; the last one always of three. */
const isGrouped = (whole: string, group: string): boolean => {
  const [, ...groups] = whole.split(group)
  return groups.every((digits, at) => (at === groups.length - 1 ? digits.length === 3 : digits.length === 2 || digits.length === 3))
}

/** The decimal separator of the page's language. */
const decimalSeparator = (): '.' | ',' =>
  new Intl.NumberFormat(pageLocale()).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.'

/** Arabic and Persian digits and separators replaced by Latin ones. */
const toLatin = (text: string): string =>
  text
    .replaceAll(ARABIC_DIGITS, (digit) => String((digit.codePointAt(0) ?? 0) % 16))
    .replaceAll('٫', '.')
    .replaceAll('٬', ',')
