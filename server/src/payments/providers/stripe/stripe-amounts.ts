import { currencyDigits, type Money } from '@counterfoil/contract/kit/money'
import type { AmountLimits } from '../amounts.ts'

/**
 * The digits of Stripe's amounts where they are not those of ISO 4217 (docs.stripe.com/currencies). The third digit of dinars and rials
 * must be 0, so they count as two.
 */
const STRIPE_DIGITS: Readonly<Record<string, number>> = { BHD: 2, ISK: 2, JOD: 2, KWD: 2, MGA: 0, OMR: 2, TND: 2, UGX: 2 }
/** Amounts are written with three digits all the same. */
const WRITTEN_DIGITS: Readonly<Record<string, number>> = { ...STRIPE_DIGITS, BHD: 3, JOD: 3, KWD: 3, OMR: 3, TND: 3 }

/** The step of the amounts that Stripe can charge, in our minor units: 100 for MGA, which has no cents there, 10 for KWD. */
export const stripeAmountStep = (currency: string): number => {
  const digits = currencyDigits(currency)
  return 10 ** Math.max(0, digits - (STRIPE_DIGITS[currency] ?? digits))
}

/**
 * An amount in Stripe’s form: its minor units, and the currency in lower case.
 * @throws Error for an amount that is no multiple of its step
 */
export const toStripeAmount = ({ minor, currency }: Money): { amount: number; currency: string } => {
  if (minor % BigInt(stripeAmountStep(currency)) !== 0n) throw new Error(`Stripe cannot charge ${minor} minor units of ${currency}`)
  return { amount: Number(rescale(minor, currencyDigits(currency), writtenDigits(currency))), currency: currency.toLowerCase() }
}

/** An amount of Stripe in our minor units, with the currency in capitals. Digits that our minor units do not have are cut off. */
export const toMoney = (amount: number, lowerCase: string): Money => {
  const currency = lowerCase.toUpperCase()
  return { minor: rescale(BigInt(amount), writtenDigits(currency), currencyDigits(currency)), currency }
}

/** The digits after the point in which Stripe writes amounts of a currency. */
const writtenDigits = (currency: string): number => WRITTEN_DIGITS[currency] ?? currencyDigits(currency)

/** Minor units of `from` digits as those of `to` digits; what is left over is cut off. */
const rescale = (units: bigint, from: number, to: number): bigint =>
  from > to ? units / 10n ** BigInt(from - to) : units * 10n ** BigInt(to - from)

/** The smallest charges in Stripe's minor units (docs.stripe.com/currencies, "Minimum and maximum charge amounts"). */
const MIN_AMOUNTS: Readonly<Record<string, number>> = {
  AED: 200,
  AUD: 50,
  BGN: 100,
  BRL: 50,
  CAD: 50,
  CHF: 50,
  CZK: 1_500,
  DKK: 250,
  EUR: 50,
  GBP: 30,
  HKD: 400,
  HUF: 17_500,
  INR: 50,
  JPY: 50,
  MXN: 1_000,
  MYR: 200,
  NOK: 300,
  NZD: 50,
  PLN: 200,
  RON: 200,
  SEK: 300,
  SGD: 50,
  THB: 1_000,
  USD: 50,
}
/** An amount has at most eight digits, one in rupiah twelve. */
const MAX_AMOUNT = 99_999_999
const MAX_AMOUNTS: Readonly<Record<string, number>> = { IDR: 999_999_999_999 }

/** The smallest and the largest amount that Stripe charges in a currency, in our minor units. */
export const stripeAmountLimits = (currency: string): AmountLimits => {
  const inOurs = (amount: number): number => Number(toMoney(amount, currency).minor)
  const minAmount = MIN_AMOUNTS[currency]
  return {
    ...(minAmount === undefined ? {} : { minMinor: inOurs(minAmount) }),
    maxMinor: inOurs(MAX_AMOUNTS[currency] ?? MAX_AMOUNT),
  }
}
