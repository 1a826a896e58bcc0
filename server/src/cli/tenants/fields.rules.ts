import { domainToASCII } from 'node:url'
import { isIP } from 'node:net'
import { isHex } from '@counterfoil/contract/kit/colour/colour'
import { NUMBER_LOCALES } from '@counterfoil/contract/user/profile'
import { OperatorError } from '../../kit/api-error.ts'
import { quoteValue } from '../../imports/bad-row.ts'

/** Parses the value of a field. @throws OperatorError that says what it must be */
export type ParseField = (name: string, typed: string) => string | null

/** @throws OperatorError always: that a value is not what its option must be */
const throwInvalid = (name: string, typed: string, must: string): never => {
  throw new OperatorError(`--${name}: ${quoteValue(typed)} ${must}`)
}

/** Makes the parser of a one-line text that must not be empty. Blanks around it go. */
export const text =
  (maxLength: number): ParseField =>
  (name, typed) => {
    const trimmed = typed.trim()
    if (trimmed === '') throw new OperatorError(`--${name}: it must not be empty.`)
    if (trimmed.length > maxLength) throwInvalid(name, typed, `is longer than ${maxLength} characters.`)
    if (!trimmed.isWellFormed() || /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(trimmed)) throwInvalid(name, typed, 'holds a control character.')
    return trimmed
  }

/** Makes a parser accept an empty value, which clears the field. */
export const optional =
  (parse: ParseField): ParseField =>
  (name, typed) =>
    typed.trim() === '' ? null : parse(name, typed)

/** Makes a parser accept an empty value, which brings back the default. */
export const orDefault =
  (byDefault: string, parse: ParseField): ParseField =>
  (name, typed) =>
    typed.trim() === '' ? byDefault : parse(name, typed)

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Parses a currency's code of ISO 4217 into capitals. @throws OperatorError for anything else */
export const currency: ParseField = (name, typed) => {
  const code = typed.trim().toUpperCase()
  return CURRENCIES.has(code) ? code : throwInvalid(name, typed, 'is not a currency of ISO 4217, such as AUD or USD.')
}

/** Parses an email address, trimmed. @throws OperatorError for anything else */
export const email: ParseField = (name, typed) => {
  const trimmed = typed.trim()
  const isAddress = trimmed.length <= 254 && /^[^\s@<>",;:()[\]\\]+@[^\s@<>",;:()[\]\\.]+(\.[^\s@<>",;:()[\]\\.]+)+$/u.test(trimmed)
  return isAddress && !/\p{C}/u.test(trimmed) ? trimmed : throwInvalid(name, typed, 'is not an email address.')
}

/** Parses a telephone number as people write it, with at least three digits; only trimmed. @throws OperatorError for anything else */
export const phone: ParseField = (name, typed) => {
  const trimmed = typed.trim()
  const isNumber = trimmed.length <= 40 && /^\+?[\d\s()./-]+$/.test(trimmed) && trimmed.replaceAll(/\D/g, '').length >= 3
  return isNumber ? trimmed : throwInvalid(name, typed, 'is not a telephone number, such as +61 2 5550 0000.')
}

const MAX_ADDRESS_LENGTH = 500

/** Parses the URL of a page, over https and with a dot in its host, into its normal form. @throws OperatorError for anything else */
export const httpsAddress: ParseField = (name, typed) => {
  const trimmed = typed.trim()
  const url = trimmed.length <= MAX_ADDRESS_LENGTH && !/[\s\p{C}]/u.test(trimmed) ? URL.parse(trimmed) : null
  const isPage = url?.protocol === 'https:' && url.hostname.includes('.') && url.username === '' && url.password === ''
  return isPage ? url.href : throwInvalid(name, typed, 'is not an address of a page, such as https://www.example.com/terms.')
}

/** Parses a colour written `#rrggbb` into lower case. @throws OperatorError for anything else */
export const colour: ParseField = (name, typed) => {
  const trimmed = typed.trim().toLowerCase()
  return isHex(trimmed) ? trimmed : throwInvalid(name, typed, 'is not a colour: write # and six hexadecimal digits, such as #1f5fd6.')
}

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/**
 * Parses the host of a brand (a name with a dot, without port, path or scheme) into lower case and Punycode.
 * @throws OperatorError for anything else
 */
export const domain: ParseField = (name, typed) => {
  const trimmed = typed.trim()
  const isPlain = /^[^\s/:?#@[\]\\%]+$/u.test(trimmed)
  const ascii = isPlain ? domainToASCII(trimmed.toLowerCase()) : ''
  const labels = ascii.split('.')
  const isHost = ascii.length <= 253 && labels.length > 1 && labels.every((label) => LABEL.test(label)) && isIP(ascii) === 0
  return isHost ? ascii : throwInvalid(name, typed, 'is not a domain: write a host name alone, such as billing.example.com.')
}

/** Parses a locale by which numbers and dates are written, one of NUMBER_LOCALES, ignoring case. @throws OperatorError for any other */
export const locale: ParseField = (name, typed) =>
  NUMBER_LOCALES.find((one) => one.toLowerCase() === typed.trim().toLowerCase()) ??
  throwInvalid(name, typed, `is none of ${NUMBER_LOCALES.join(', ')}.`)

/** Checks a username that can be typed at sign-in, which stays as it is. @throws OperatorError for anything else */
export const username: ParseField = (name, typed) => {
  const isName = typed !== '' && Buffer.byteLength(typed) <= 254 && typed.isWellFormed() && !/[\p{C}\p{Z}]/u.test(typed)
  return isName ? typed : throwInvalid(name, typed, 'is not a username: it has 1 to 254 characters and no spaces.')
}

const MAX_ID = 999_999_999

/** A whole number from 1 to MAX_ID, such as an id or a limit. Looks nothing up. @throws OperatorError for anything else */
export const parseId = (name: string, typed: string): number => {
  const id = /^[1-9]\d{0,8}$/.test(typed.trim()) ? Number(typed) : 0
  return id > 0 ? id : throwInvalid(name, typed, `is not a whole number from 1 to ${MAX_ID}.`)
}

const MAX_ADDRESS_LINES = 6

/** The lines of a postal address, trimmed, without empty ones. @throws OperatorError for more than MAX_ADDRESS_LINES */
export const addressLines = (name: string, typed: readonly string[]): string[] => {
  const lines = typed.filter((line) => line.trim() !== '').map((line) => text(100)(name, line) ?? '')
  if (lines.length > MAX_ADDRESS_LINES) throw new OperatorError(`--${name}: an address has at most ${MAX_ADDRESS_LINES} lines.`)
  return lines
}
