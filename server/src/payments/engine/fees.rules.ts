import { divideRounded, roundToUnits } from '@counterfoil/contract/kit/decimal'
import { currencyDigits } from '@counterfoil/contract/kit/money'
import type { FeeLine } from '@counterfoil/contract/kit/payments/payment-status'
import type { AnyProvider } from '../providers/provider.ts'

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

/** The rules whose fee line the provider may add. */
export const applicableFeeRules = (
  rules: readonly FeeRule[],
  { feeLines = [], amountStep }: Pick<AnyProvider, 'feeLines' | 'amountStep'>,
): readonly ProviderFeeRule[] =>
  rules.filter(({ line }) => feeLines.includes(line)).map((rule) => ({ ...rule, stepMinor: amountStep?.(rule.currency) ?? 1 }))

const PERCENT_DIGITS = 4

/** The percentage of the amount plus the fixed part, each rounded half up to what the provider can charge. */
const feeAmount = (amountMinor: number, { percent, fixedMinor, stepMinor }: ProviderFeeRule): number => {
  const step = BigInt(stepMinor)
  const share = divideRounded(BigInt(amountMinor) * roundToUnits(percent, PERCENT_DIGITS), step * 100n * 10n ** BigInt(PERCENT_DIGITS))
  return Number((share + divideRounded(BigInt(fixedMinor), step)) * step)
}

/** The fee for paying by card or by debit; null where no rule adds one. */
export const paymentFee = (
  amountMinor: number,
  currency: string,
  isDebit: boolean,
  rules: readonly ProviderFeeRule[],
): { line: FeeLine; minor: number } | null => {
  const line: FeeLine = isDebit ? 'DIRECT_DEBIT_FEE' : 'CREDIT_CARD_FEE'
  const rule = rules.find((candidate) => candidate.line === line && candidate.currency === currency)
  const minor = rule === undefined ? 0 : feeAmount(amountMinor, rule)
  return minor > 0 ? { line, minor } : null
}

const PLAIN_AMOUNT = /^\d{1,13}(?:\.(\d+))?$/

/** Whether an amount sent by a browser is exactly this one: "12.5" is 12.50; "1e3", "1,250.00" and rounded amounts are rejected. */
export const isSameAmount = (sent: string | number, minor: number, currency: string): boolean => {
  const text = typeof sent === 'number' ? String(sent) : sent
  const digits = currencyDigits(currency)
  const parts = PLAIN_AMOUNT.exec(text)
  if (parts === null || /[1-9]/.test((parts[1] ?? '').slice(digits))) return false
  return roundToUnits(text, digits) === BigInt(minor)
}
