import { currencyDigits, parseMoney } from '@counterfoil/contract/kit/money'
import { OperatorError } from '../../kit/api-error.ts'
import type { Attempt } from '../../payments/attempts/attempt.queries.ts'
import { transactAsReseller } from '../../payments/payments-deps.ts'
import { refundableMinor, refundAttempt } from '../../payments/reconciliation/refund.ts'
import { command, flag, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { printResult, toDecimal, toPaymentsDeps } from './command-support.ts'
import { auditSubject, formatHistory, readHistory, requireAttemptKey } from './payment-output.ts'

export const paymentsRefundCommand = command({
  name: 'payments refund',
  about: 'give a payment back to its payer, through the provider that took it',
  arguments: { payment: 'text' },
  options: {
    amount: textOption('amount', 'this much of it, such as 12.50; without it, all that is left'),
    made: flag('record a refund that was made at the provider’s desk, and send nothing'),
    notMade: flag('an earlier refund without an answer was not made, as the provider’s desk shows'),
    yes: flag('do it without being asked'),
  },
  note: 'The invoices stay paid: a refund is money given back. Without an answer of the provider, run the same command again: it refunds once.',
  resolve: (context, { payment }) => requireAttemptKey(context, payment),
  confirm: ({ payment }, { amount }) => `Refund ${amount ?? 'all that is left'} of the payment ${payment}? It cannot be taken back.`,
  run: async (context, io, { payment: id }, options) => {
    if (options.yes !== true) throw new OperatorError('Nothing was refunded: this cannot be taken back; say --yes to do it.')
    if (options.made === true && options.notMade === true) throw new OperatorError('Say either --made or --not-made.')
    const key = await requireAttemptKey(context, id)
    const { refundedMinor, attempt } = await refundAttempt(toPaymentsDeps(context), key, {
      amountOf: (before) => parseAmount(options.amount, before),
      operatorSaw: options.made === true ? 'made' : options.notMade === true ? 'not-made' : null,
    })
    const amount = toDecimal(refundedMinor, attempt.currency)
    await transactAsReseller(toPaymentsDeps(context), key.resellerId, (db) =>
      auditOperator(db, context, 'payment.refunded', {
        ...auditSubject(key),
        detail: `${amount} ${attempt.currency}`,
        after: attempt.status,
      }),
    )
    const history = await readHistory(context, key)
    return printResult(io, { refunded: amount, ...history }, () => [
      `${amount} ${attempt.currency} are refunded.`,
      ...formatHistory(history),
    ])
  },
})

const AMOUNT_FORMAT = /^\d{1,12}(?:\.(\d+))?$/

/** The amount to refund, in minor units; without a text all that can be refunded. @throws OperatorError for a malformed amount or 0 */
const parseAmount = (text: string | undefined, attempt: Attempt): number => {
  if (text === undefined) return refundableMinor(attempt)
  const { currency } = attempt
  const parts = AMOUNT_FORMAT.exec(text.trim())
  const digits = currencyDigits(currency)
  if (parts === null) throw new OperatorError(`The amount ${text} is not usable: write it as 12.50, without signs or separators.`)
  if ((parts[1] ?? '').length > digits) throw new OperatorError(`The amount ${text} is not usable: ${currency} has ${digits} decimals.`)
  const minor = Number(parseMoney(text.trim(), currency).minor)
  if (minor === 0) throw new OperatorError('An amount of 0 is nothing to refund.')
  return minor
}
