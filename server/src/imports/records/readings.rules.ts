import { BadRow, shown } from '../bad-row.ts'
import { plainDecimal } from '../../kit/decimal.ts'
import { instantOf } from '../instant.rules.ts'
import { ID_BYTES, NAME_BYTES, TEXT_BYTES, textOf } from '../text.rules.ts'
import type { FieldType, ImportField } from './kind.rules.ts'

type Read = ImportField['read']
type More = Partial<Pick<ImportField, 'fallback'>>

const textRead =
  (bytes: number): Read =>
  (name, raw) =>
    textOf(name, raw, bytes)

/** A reading of what is there; nothing stays nothing. */
const present =
  (made: (name: string, text: string) => string): Read =>
  (name, raw) => {
    const text = textOf(name, raw, NAME_BYTES)
    return text === null ? null : made(name, text)
  }

const day = present((name, text) => {
  const { day, time } = instantOf(name, text)
  if (!/^00:00:00(\.0+)?$/.test(time)) throw new BadRow(`${name}: ${shown(text)} is not a day; days have no time here`)
  return day
})
const instant = present((name, text) => {
  const { day, time } = instantOf(name, text)
  return `${day} ${time}+00`
})
const decimal = present(plainDecimal)

/** Whole minor units stay exact in JSON up to here. */
const MOST_MONEY_DIGITS = 12

const money = present((name, text) => {
  const amount = plainDecimal(name, text)
  if ((amount.replace('-', '').split('.')[0] ?? '').length > MOST_MONEY_DIGITS) throw new BadRow(`${name}: ${shown(text)} is too large`)
  return amount
})

const whole = present((name, text) => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new BadRow(`${name}: ${shown(text)} is not a whole number from 1 on`)
  return text
})

const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

const currency = present((name, text) => {
  const code = text.toUpperCase()
  if (!CODES.has(code)) throw new BadRow(`${name}: ${shown(text)} is not a currency of ISO 4217`)
  return code
})

const field =
  (type: FieldType, read: Read) =>
  (name: string, column: string, isNeeded: 'needed' | 'optional', more: More = {}): ImportField => ({
    name,
    column,
    type,
    isNeeded: isNeeded === 'needed',
    read,
    ...more,
  })

/** The makers of a kind's fields: the name in the file, the column, whether every record has it. */
export const ofId = field('text', textRead(ID_BYTES))
export const ofName = field('text', textRead(NAME_BYTES))
export const ofText = field('text', textRead(TEXT_BYTES))
export const ofDay = field('date', day)
export const ofInstant = field('instant', instant)
export const ofDecimal = field('numeric', decimal)
export const ofMoney = field('money', money)
export const ofNumber = field('integer', whole)
export const ofCurrency = field('text', currency)
export const ofLines = field('lines', textRead(TEXT_BYTES))
export const ofList = field('apart', textRead(TEXT_BYTES))

/** A field that has few values, each with what the database keeps for it. */
export const ofWord = (name: string, column: string, words: Readonly<Record<string, string>>, more: More = {}): ImportField =>
  field(
    'integer',
    present((named, text) => {
      const found = Object.entries(words).find(([word, kept]) => word === text.toLowerCase() || kept === text)
      if (found === undefined) throw new BadRow(`${named}: ${shown(text)} is none of ${Object.keys(words).join(', ')}`)
      return found[1]
    }),
  )(name, column, 'optional', more)

const EMAIL = /^[^\s@<>",;:()[\]\\]+@[^\s@<>",;:()[\]\\.]+(\.[^\s@<>",;:()[\]\\.]+)+$/u

export const ofEmail = field(
  'text',
  present((name, text) => {
    if (!EMAIL.test(text) || text.length > 254) throw new BadRow(`${name}: ${shown(text)} is not an email address`)
    return text
  }),
)

export const ofUsername = field(
  'text',
  present((name, text) => {
    if (Buffer.byteLength(text) > 254 || /[\p{C}\p{Z}]/u.test(text))
      throw new BadRow(`${name}: ${shown(text)} is not a username: it has no spaces`)
    return text
  }),
)
