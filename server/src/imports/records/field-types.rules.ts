import { BadRow, quoteValue } from '../bad-row.ts'
import { plainDecimal } from '../plain-decimal.rules.ts'
import { parseInstant } from '../instant.rules.ts'
import { MAX_ID_BYTES, MAX_NAME_BYTES, MAX_TEXT_BYTES, parseText } from '../text.rules.ts'
import type { FieldType, ImportField } from './kind.rules.ts'

type ReadField = ImportField['read']
type FieldOptions = Partial<Pick<ImportField, 'fallback'>>

/** Makes a reader of texts of at most so many bytes. */
const readRaw =
  (bytes: number): ReadField =>
  (name, raw) =>
    parseText(name, raw, bytes)

/** Makes a reader of a present value; a missing value stays null. */
const readPresent =
  (convert: (name: string, text: string, onRounded: () => void) => string): ReadField =>
  (name, raw, onRounded) => {
    const text = parseText(name, raw, MAX_NAME_BYTES)
    return text === null ? null : convert(name, text, onRounded)
  }

/** Reads a day; BadRow for a time other than midnight. */
const readDay = readPresent((name, text) => {
  const { day, time } = parseInstant(name, text, 'a day, as 2026-10-31 is')
  if (!/^00:00:00(\.0+)?$/.test(time)) throw new BadRow(`${name}: ${quoteValue(text)} is not a day; days have no time here`)
  return day
})
/** Reads an instant as the UTC text that PostgreSQL takes. */
const readInstant = readPresent((name, text) => {
  const { day, time } = parseInstant(name, text)
  return `${day} ${time}+00`
})
const readDecimal = readPresent((name, text, onRounded) => plainDecimal(name, text, { onRounded }))

/** Limits amounts so that minor units stay exact in JSON. */
const MAX_MONEY_DIGITS = 12

/** Reads an amount, which is never rounded; BadRow for more than `MAX_MONEY_DIGITS` before the point. */
const readMoney = readPresent((name, text) => {
  const amount = plainDecimal(name, text)
  if ((amount.replace('-', '').split('.')[0] ?? '').length > MAX_MONEY_DIGITS) throw new BadRow(`${name}: ${quoteValue(text)} is too large`)
  return amount
})

/** Reads a whole number from 1 on. */
const readWholeNumber = readPresent((name, text) => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new BadRow(`${name}: ${quoteValue(text)} is not a whole number from 1 on`)
  return text
})

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Reads a currency code of ISO 4217, in any case. */
const readCurrency = readPresent((name, text) => {
  const code = text.toUpperCase()
  if (!CURRENCIES.has(code)) throw new BadRow(`${name}: ${quoteValue(text)} is not a currency of ISO 4217`)
  return code
})

/** Makes a constructor of fields that are stored as this type and parsed by this reader. */
const field =
  (type: FieldType, read: ReadField) =>
  (name: string, column: string, isNeeded: 'needed' | 'optional', options: FieldOptions = {}): ImportField => ({
    name,
    column,
    type,
    isNeeded: isNeeded === 'needed',
    read,
    ...options,
  })

/** Constructors of a kind's fields: the name in the file, the column, whether it is required. */
export const idField = field('text', readRaw(MAX_ID_BYTES))
export const nameField = field('text', readRaw(MAX_NAME_BYTES))
export const textField = field('text', readRaw(MAX_TEXT_BYTES))
export const dayField = field('date', readDay)
export const instantField = field('instant', readInstant)
export const decimalField = field('numeric', readDecimal)
export const moneyField = field('money', readMoney)
export const numberField = field('integer', readWholeNumber)
export const currencyField = field('text', readCurrency)
export const linesField = field('lines', readRaw(MAX_TEXT_BYTES))
export const listField = field('custom', readRaw(MAX_TEXT_BYTES))

/** Makes an optional field with a fixed set of words, each with its stored value, which a file may write too. */
export const wordField = (name: string, column: string, words: Readonly<Record<string, string>>, options: FieldOptions = {}): ImportField =>
  field(
    'integer',
    readPresent((named, text) => {
      const found = Object.entries(words).find(([word, kept]) => word === text.toLowerCase() || kept === text)
      if (found === undefined) throw new BadRow(`${named}: ${quoteValue(text)} is none of ${Object.keys(words).join(', ')}`)
      return found[1]
    }),
  )(name, column, 'optional', options)

const EMAIL = /^[^\s@<>",;:()[\]\\]+@[^\s@<>",;:()[\]\\.]+(\.[^\s@<>",;:()[\]\\.]+)+$/u

export const emailField = field(
  'text',
  readPresent((name, text) => {
    if (!EMAIL.test(text) || text.length > 254) throw new BadRow(`${name}: ${quoteValue(text)} is not an email address`)
    return text
  }),
)

export const usernameField = field(
  'text',
  readPresent((name, text) => {
    if (Buffer.byteLength(text) > 254 || /[\p{C}\p{Z}]/u.test(text))
      throw new BadRow(`${name}: ${quoteValue(text)} is not a username: it has no spaces`)
    return text
  }),
)
