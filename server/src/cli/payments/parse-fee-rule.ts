import { currencyDigits, parseMoney } from '@counterfoil/contract/kit/money'
import type { FeeLine } from '@counterfoil/contract/kit/payments/payment-status'
import { OperatorError } from '../../kit/api-error.ts'
import type { FeeRule } from '../../payments/accounts/fees.rules.ts'

const LINES: Readonly<Record<string, FeeLine>> = { card: 'CREDIT_CARD_FEE', debit: 'DIRECT_DEBIT_FEE' }

const FEE_FORMAT = /^(card|debit):([A-Z]{3}):(\d{1,3}(?:\.\d{1,4})?):(\d{1,9}(?:\.(\d{1,3}))?)$/
const MAX_FIXED_MINOR = 1_000_000_000

/**
 * Parses a fee rule: `card:AUD:1.5:0.30` is 1.5 % and 0.30 on top; `card:AUD:0:0` stands for the removal of the rule. Stores nothing.
 * @throws OperatorError for anything else
 */
export const parseFeeRule = (text: string): FeeRule => {
  const [, kind = '', currency = '', percent = '', fixed = '', fraction = ''] = FEE_FORMAT.exec(text) ?? []
  const line = LINES[kind]
  if (line === undefined)
    throw new OperatorError(`The fee ${text} is not usable: write it as in card:AUD:1.5:0.30 (kind, currency, percent, fixed part).`)
  if (Number(percent) > 100) throw new OperatorError(`The fee ${text} is not usable: more than 100 percent.`)
  if (fraction.length > currencyDigits(currency))
    throw new OperatorError(`The fee ${text} is not usable: ${currency} has ${currencyDigits(currency)} decimals.`)
  const fixedMinor = Number(parseMoney(fixed, currency).minor)
  if (fixedMinor > MAX_FIXED_MINOR) throw new OperatorError(`The fee ${text} is not usable: its fixed part is too large.`)
  return { line, currency, percent, fixedMinor }
}
