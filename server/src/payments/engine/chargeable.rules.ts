import { toDecimalText } from '@counterfoil/contract/kit/money'
import { ApiError } from '../../kit/api-error.ts'
import { amountTooLargeText, amountTooSmallText, currencyNotAcceptedText } from '../providers/decline.ts'
import type { AnyProvider } from '../providers/provider.ts'

type ChargeLimits = Pick<AnyProvider, 'currencies' | 'amountStep' | 'amountLimits'>

/** The whole amount of a payment with its fee, in minor units. */
interface ChargeAmount {
  readonly amountMinor: number
  readonly currency: string
  readonly isDebit: boolean
}

/** @throws ApiError 409 for a currency that the provider cannot charge */
export const assertCurrencyAccepted = (currency: string, { currencies }: Pick<AnyProvider, 'currencies'>): void => {
  if (currencies?.includes(currency) !== false) return
  const message = currencyNotAcceptedText(currency)
  throw new ApiError('currency_not_accepted', message, { userMessage: message })
}

/**
 * Checks that the provider can charge an amount, before anything is claimed or sent.
 * @throws ApiError 409 with words for the payer
 */
export const assertChargeable = (payment: ChargeAmount, provider: ChargeLimits): void => {
  assertCurrencyAccepted(payment.currency, provider)
  const message = amountText(payment, provider)
  if (message !== null) throw new ApiError('amount_not_accepted', message, { userMessage: message })
}

/** Why the provider cannot charge this, in words for the payer; null where it can. */
export const notChargeableText = (payment: ChargeAmount, provider: ChargeLimits): string | null =>
  provider.currencies?.includes(payment.currency) === false ? currencyNotAcceptedText(payment.currency) : amountText(payment, provider)

const amountText = ({ amountMinor, currency, isDebit }: ChargeAmount, { amountLimits, amountStep }: ChargeLimits): string | null => {
  const { minMinor = 0, maxMinor = Infinity } = amountLimits?.(currency) ?? {}
  if (amountMinor < minMinor) return amountTooSmallText(isDebit)
  if (amountMinor > maxMinor) return amountTooLargeText(isDebit)
  const stepMinor = amountStep?.(currency) ?? 1
  return amountMinor % stepMinor === 0 ? null : stepText(amountMinor, currency, stepMinor)
}

const stepText = (amountMinor: number, currency: string, stepMinor: number): string => {
  const inWords = (minor: number): string => `${toDecimalText({ minor: BigInt(minor), currency })} ${currency}`
  return `${inWords(amountMinor)} cannot be paid here: payments in ${currency} are made in steps of ${inWords(stepMinor)}. Please contact us.`
}
