import { toDecimalText } from '@counterfoil/contract/kit/money'
import { ApiError } from '../../kit/api-error.ts'
import type { Account } from './accounts.ts'
import type { ProviderAmounts } from '../providers/amounts.ts'
import { amountTooLargeText, amountTooSmallText, currencyNotAcceptedText } from '../providers/decline.ts'
import type { ReferenceFormat } from '../providers/order.ts'

/** What an account can charge, and the fees that apply with it. */
export interface ChargeRules extends Pick<ProviderAmounts<never>, 'feeLines' | 'step' | 'limits'> {
  /** How our references must look there; a UUID when absent. */
  readonly reference?: ReferenceFormat | undefined
  /** Every currency when absent. */
  readonly currencies?: readonly string[] | undefined
}

/** The rules of an account: its provider's, with the currencies of the account itself. */
export const chargeRulesOf = ({ provider, context }: Pick<Account, 'provider' | 'context'>): ChargeRules => ({
  ...provider.amounts,
  reference: provider.reference,
  currencies: provider.amounts?.currencies?.(context.settings),
})

/** The whole amount of a payment with its fee, in minor units. */
interface ChargeAmount {
  readonly amountMinor: number
  readonly currency: string
  readonly isDebit: boolean
}

/**
 * Checks that the account can charge in a currency; the amount is not asked.
 * @throws ApiError 409 for a currency that it cannot charge
 */
export const assertCurrencyAccepted = (currency: string, { currencies }: Pick<ChargeRules, 'currencies'>): void => {
  if (currencies?.includes(currency) !== false) return
  const message = currencyNotAcceptedText(currency)
  throw new ApiError('currency_not_accepted', message, { userMessage: message })
}

/**
 * Checks that the account can charge an amount in its currency, before anything is claimed or sent. Only rules are asked, not the provider.
 * @throws ApiError 409 with words for the payer
 */
export const assertChargeable = (payment: ChargeAmount, rules: ChargeRules): void => {
  assertCurrencyAccepted(payment.currency, rules)
  const message = amountText(payment, rules)
  if (message !== null) throw new ApiError('amount_not_accepted', message, { userMessage: message })
}

/** Why the account cannot charge this amount or currency, in words for the payer; null where it can. */
export const notChargeableText = (payment: ChargeAmount, rules: ChargeRules): string | null =>
  rules.currencies?.includes(payment.currency) === false ? currencyNotAcceptedText(payment.currency) : amountText(payment, rules)

/** Why the account cannot charge this amount, in words for the payer: too small, too large, or between two steps; null where it can. */
const amountText = ({ amountMinor, currency, isDebit }: ChargeAmount, { limits, step }: ChargeRules): string | null => {
  const { minMinor = 0, maxMinor = Infinity } = limits?.(currency) ?? {}
  if (amountMinor < minMinor) return amountTooSmallText(isDebit)
  if (amountMinor > maxMinor) return amountTooLargeText(isDebit)
  const stepMinor = step?.(currency) ?? 1
  return amountMinor % stepMinor === 0 ? null : stepText(amountMinor, currency, stepMinor)
}

/** The words for an amount between two steps of its currency. */
const stepText = (amountMinor: number, currency: string, stepMinor: number): string => {
  const amountText = (minor: number): string => `${toDecimalText({ minor: BigInt(minor), currency })} ${currency}`
  return `${amountText(amountMinor)} cannot be paid here: payments in ${currency} are made in steps of ${amountText(stepMinor)}. Please contact us.`
}
