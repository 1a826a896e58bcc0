import { divideRounded, roundToUnits } from '@counterfoil/contract/kit/decimal'
import { currencyDigits, toJsonNumber } from '@counterfoil/contract/kit/money'
import type { FeeLine } from '@counterfoil/contract/kit/payments/payment-status'
import type { PaymentFee } from '@counterfoil/contract/kit/payments/payment-summary'
import { invalidInput } from '../../kit/api-error.ts'
import type { ProviderAmounts } from '../providers/amounts.ts'

/** What is added for paying by card or by debit in one currency. */
export interface FeeRule {
  readonly line: FeeLine
  readonly currency: string
  /** Decimal text with at most four digits after the point. */
  readonly percent: string
  readonly fixedMinor: number
}

/** A rule as it applies with one provider: fees are multiples of `stepMinor`, the smallest difference that the provider can charge. */
export interface ProviderFeeRule extends FeeRule {
  readonly stepMinor: number
}

/** The rules whose fee line the provider may add, each with the step of the provider's amounts. */
export const applicableFeeRules = (
  rules: readonly FeeRule[],
  { feeLines = [], step }: Pick<ProviderAmounts<never>, 'feeLines' | 'step'> = {},
): readonly ProviderFeeRule[] =>
  rules.filter(({ line }) => feeLines.includes(line)).map((rule) => ({ ...rule, stepMinor: step?.(rule.currency) ?? 1 }))

const PERCENT_DIGITS = 4

/** The fee in minor units: the percentage of the amount plus the fixed part, each rounded half up to what the provider can charge. */
const feeAmount = (amountMinor: number, { percent, fixedMinor, stepMinor }: ProviderFeeRule): number => {
  const step = BigInt(stepMinor)
  const share = divideRounded(BigInt(amountMinor) * roundToUnits(percent, PERCENT_DIGITS), step * 100n * 10n ** BigInt(PERCENT_DIGITS))
  return Number((share + divideRounded(BigInt(fixedMinor), step)) * step)
}

/** The fee for paying by card or by debit, not added to the amount; null where no rule adds one. */
export const paymentFee = (
  amountMinor: number,
  currency: string,
  isDebit: boolean,
  rules: readonly ProviderFeeRule[],
): { line: FeeLine; minor: number } | null => {
  const line = feeLineOf(isDebit)
  const rule = findRule(line, currency, rules)
  const minor = rule === undefined ? 0 : feeAmount(amountMinor, rule)
  return minor > 0 ? { line, minor } : null
}

const feeLineOf = (isDebit: boolean): FeeLine => (isDebit ? 'DIRECT_DEBIT_FEE' : 'CREDIT_CARD_FEE')

/** The fee rule of this line and currency; undefined where the reseller has none. */
const findRule = (line: FeeLine, currency: string, rules: readonly ProviderFeeRule[]): ProviderFeeRule | undefined =>
  rules.find((candidate) => candidate.line === line && candidate.currency === currency)

/**
 * What paying an amount by card and from a bank account adds, with the rules, in currency units as the payer is shown it. One entry for
 * each of the two.
 */
export const listFees = (amountMinor: number, currency: string, rules: readonly ProviderFeeRule[]): PaymentFee[] =>
  (['card', 'bank'] as const).map((kind) => {
    const money = (minor: number): number => toJsonNumber({ minor: BigInt(minor), currency })
    const isDebit = kind === 'bank'
    const rule = findRule(feeLineOf(isDebit), currency, rules)
    const feeMinor = paymentFee(amountMinor, currency, isDebit, rules)?.minor ?? 0
    return {
      kind,
      amount: money(feeMinor),
      percent: Number(rule?.percent ?? 0),
      fixed: money(rule?.fixedMinor ?? 0),
      total: money(amountMinor + feeMinor),
    }
  })

/** What an amount comes to by each way to pay, with its fee, in minor units. */
export interface WaysTotal {
  readonly cardMinor: number
  readonly bankMinor: number
}

/** What an amount comes to by card and from a bank account: each has its own fee in it. */
export const waysTotal = (amountMinor: number, currency: string, rules: readonly ProviderFeeRule[]): WaysTotal => ({
  cardMinor: amountMinor + (paymentFee(amountMinor, currency, false, rules)?.minor ?? 0),
  bankMinor: amountMinor + (paymentFee(amountMinor, currency, true, rules)?.minor ?? 0),
})

const PLAIN_AMOUNT = /^\d{1,13}(?:\.(\d+))?$/

/** An amount sent by a browser, in minor units: "12.5" is 12.50; "1e3", "1,250.00" and amounts with more digits are null. */
const parseSentAmount = (sent: string | number, currency: string): bigint | null => {
  const text = typeof sent === 'number' ? String(sent) : sent
  const digits = currencyDigits(currency)
  const parts = PLAIN_AMOUNT.exec(text)
  return parts === null || /[1-9]/.test((parts[1] ?? '').slice(digits)) ? null : roundToUnits(text, digits)
}

/** Whether an amount sent by a browser is exactly this one. */
export const isSameAmount = (sent: string | number, minor: number, currency: string): boolean =>
  parseSentAmount(sent, currency) === BigInt(minor)

/**
 * The total that a browser says it has shown, in minor units, compared with nothing; undefined where it says none.
 * @throws ApiError 400 for what is no amount
 */
export const parseShownTotal = (sent: string | number | undefined, currency: string): number | undefined => {
  if (sent === undefined) return undefined
  const minor = parseSentAmount(sent, currency)
  if (minor === null) throw invalidInput('shownTotal', 'shownTotal is the total as it was shown, such as 112.50.')
  return Number(minor)
}
