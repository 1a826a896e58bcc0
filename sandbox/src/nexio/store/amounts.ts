import { validationError } from '../api/nexio-error.ts'

const MAX_AMOUNT = 99_999_999.99

/** A currency in upper case. @throws NexioError when it is not three letters */
export const currencyOf = (text: string): string => {
  const currency = text.toUpperCase()
  if (!/^[A-Z]{3}$/.test(currency)) throw validationError('"data.currency" must be a currency of ISO 4217')
  return currency
}

/**
 * An amount in currency units, such as 5.99, in minor units of ISO 4217.
 * @throws NexioError when it is not a positive number with the currency's decimals
 */
export const toMinor = (amount: unknown, currency: string): number => {
  if (typeof amount !== 'number' || !(amount > 0) || amount > MAX_AMOUNT) throw validationError('"data.amount" must be a positive number')
  const units = amount * 10 ** decimalsOf(currency)
  const minor = Math.round(units)
  if (Math.abs(units - minor) > 1e-4) throw validationError('"data.amount" has too many decimals')
  return minor
}

/** An amount in minor units as currency units, such as 5.99. */
export const fromMinor = (minor: number, currency: string): number => Number(`${minor}e-${decimalsOf(currency)}`)

/** The number of decimals of a currency. */
const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

const CURRENCY_IDS: Readonly<Record<string, string>> = {
  AUD: '036',
  CAD: '124',
  CNY: '156',
  JPY: '392',
  KRW: '410',
  MXN: '484',
  NZD: '554',
  ZAR: '710',
  GBP: '826',
  USD: '840',
  EUR: '978',
}

/** The number of ISO 4217 by which the transaction service names a currency; null for a currency that is not in its table. */
export const currencyIdOf = (currency: string): string | null => CURRENCY_IDS[currency] ?? null
