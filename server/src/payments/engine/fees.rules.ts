import { currencyDigits } from '@counterfoil/contract/kit/money'
import type { FeeLine } from '@counterfoil/contract/kit/payments/payment-status'

/** What is added for paying by card or by debit in one currency. */
export interface FeeRule {
  readonly line: FeeLine
  readonly currency: string
  /** Decimal text with at most four digits after the point. */
  readonly percent: string
  readonly fixedMinor: number
}

/** The rules whose fee line the provider may add. */
export const applicableFeeRules = (rules: readonly FeeRule[], feeLines: readonly FeeLine[]): readonly FeeRule[] =>
  rules.filter(({ line }) => feeLines.includes(line))

const SCALE = 4

/** The percentage of the amount, rounded half up to minor units, plus the fixed part. */
const feeAmount = (amountMinor: number, { percent, fixedMinor }: Pick<FeeRule, 'percent' | 'fixedMinor'>): number => {
  const [whole = '0', fraction = ''] = percent.split('.')
  const tenThousandths = BigInt(whole + fraction.slice(0, SCALE).padEnd(SCALE, '0'))
  const hundred = 100n * 10n ** BigInt(SCALE)
  const share = (BigInt(amountMinor) * tenThousandths * 2n + hundred) / (hundred * 2n)
  return Number(share) + fixedMinor
}

/** The fee for paying by card or by debit; null where no rule adds one. */
export const paymentFee = (
  amountMinor: number,
  currency: string,
  isDebit: boolean,
  rules: readonly FeeRule[],
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
  if (parts === null) return false
  const fraction = parts[1] ?? ''
  if (/[1-9]/.test(fraction.slice(digits))) return false
  const whole = text.split('.')[0] ?? ''
  return BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0')) === BigInt(minor)
}
