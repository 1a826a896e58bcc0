import { OperatorError } from '../../kit/api-error.ts'
import { hasCardNumber } from '../../kit/card-number.ts'
import { resolveManually } from '../../payments/reconciliation/manual-resolution.ts'
import { listOpenDiscrepancies } from '../../payments/reconciliation/discrepancies.queries.ts'
import { listManualAttempts } from '../../payments/reconciliation/review-queue.queries.ts'
import { lookUpAttempt } from '../../payments/engine/look-up.ts'
import { transactAsReseller } from '../../payments/payments-deps.ts'
import { command, flag, OF_RESELLER, requiredOption, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { toShownDiscrepancy, formatDiscrepancy } from './reconcile.ts'
import { auditSubject, formatHistory, readHistory, requireAttemptKey, unknownOutcomeAdvice } from './payment-output.ts'
import { printResult, readEachReseller, toDecimal, toPaymentsDeps } from './command-support.ts'

export const paymentsQueueCommand = command({
  name: 'payments queue',
  about: 'list what needs an operator',
  options: { reseller: OF_RESELLER },
  run: async (context, io, _, options) => {
    const attempts = (await readEachReseller(context, options, listManualAttempts)).map(({ amountMinor, ...row }) => ({
      ...row,
      amount: toDecimal(amountMinor, row.currency),
      whatToDo: unknownOutcomeAdvice(toPaymentsDeps(context), row),
    }))
    const discrepancies = (await readEachReseller(context, options, listOpenDiscrepancies)).map((discrepancy) => ({
      ...toShownDiscrepancy(discrepancy),
      provider: discrepancy.provider,
      accountId: discrepancy.accountId,
      foundAt: discrepancy.foundAt,
    }))
    return printResult(io, { attempts, drifts: discrepancies }, () => [
      ...(attempts.length + discrepancies.length === 0 ? ['Nothing needs an operator.'] : []),
      ...attempts.flatMap(({ id, resellerId, customerId, provider, amount, currency, createdAt, whatToDo: steps }) => [
        `${id}  reseller ${resellerId}  customer ${customerId}  ${provider}  ${amount} ${currency}  since ${createdAt.toISOString()}`,
        ...steps.map((step) => `  ${step}`),
      ]),
      ...discrepancies.map((discrepancy) => formatDiscrepancy(discrepancy)),
    ])
  },
})

export const paymentsShowCommand = command({
  name: 'payments show',
  about: 'show a payment with its history, by the id of the attempt',
  arguments: { payment: 'text' },
  run: async (context, io, { payment: id }) => {
    const history = await readHistory(context, await requireAttemptKey(context, id))
    return printResult(io, history, () => formatHistory(history))
  },
})

export const paymentsLookUpCommand = command({
  name: 'payments look-up',
  about: 'ask the payment provider now what became of a payment, and record it',
  arguments: { payment: 'text' },
  run: async (context, io, { payment: id }) => {
    const key = await requireAttemptKey(context, id)
    const { status } = await lookUpAttempt(toPaymentsDeps(context), key, 'operator')
    await transactAsReseller(toPaymentsDeps(context), key.resellerId, (db) =>
      auditOperator(db, context, 'payment.looked-up', { ...auditSubject(key), detail: status }),
    )
    const history = await readHistory(context, key)
    return printResult(io, history, () => formatHistory(history))
  },
})

const MAX_REASON_CHARACTERS = 500

/**
 * The payment's number at the provider, as typed; null when it is not given.
 * @throws OperatorError for a failed payment, a malformed number, or one with a card number in it
 */
const parseNumber = (typed: string | undefined, outcome: 'paid' | 'failed'): string | null => {
  if (typed === undefined) return null
  if (outcome === 'failed') throw new OperatorError('A payment that failed needs no number (--number).')
  const number = typed.trim()
  if (!/^[\x21-\x7e]{1,255}$/.test(number) || hasCardNumber(number))
    throw new OperatorError('The number of the payment (--number) is as the provider shows it: 1 to 255 characters without blanks.')
  return number
}

export const paymentsSettleCommand = command({
  name: 'payments settle',
  about: 'state the outcome of a payment that the provider cannot tell',
  arguments: { payment: 'text' },
  options: {
    as: requiredOption(textOption('outcome', 'paid or failed')),
    reason: requiredOption(textOption('words', 'how you know; kept in the audit log')),
    number: textOption('text', 'the number of the payment at the provider, by which it can be refunded later; with --as paid'),
    yes: flag('do it without being asked'),
  },
  note: 'The provider is asked first, and its answer takes precedence. Settling as failed lets the invoices be paid again.',
  resolve: (context, { payment }) => requireAttemptKey(context, payment),
  confirm: ({ payment }, { as }) => `Settle the payment ${payment} as ${as}? It cannot be taken back.`,
  run: async (context, io, { payment: id }, options) => {
    const [outcome, reason] = [options.as.trim(), options.reason.trim()]
    if (outcome !== 'paid' && outcome !== 'failed') throw new OperatorError('Say what became of the payment: --as paid or --as failed.')
    if (reason === '' || reason.length > MAX_REASON_CHARACTERS || /\p{C}/u.test(reason))
      throw new OperatorError(`Say how you know (--reason), in 1 to ${MAX_REASON_CHARACTERS} characters.`)
    if (options.yes !== true) throw new OperatorError('Nothing was changed: this cannot be taken back; say --yes to do it.')
    const providerRef = parseNumber(options.number, outcome)
    const key = await requireAttemptKey(context, id)
    const { isFromProvider } = await resolveManually(toPaymentsDeps(context), key, { outcome, reason, providerRef }, (db, attempt) =>
      auditOperator(db, context, 'payment.settled-by-hand', {
        ...auditSubject(key),
        detail: `${outcome}: ${reason}`,
        after: attempt.status,
      }),
    )
    const history = await readHistory(context, key)
    return printResult(io, { ...history, byCompany: isFromProvider }, () => [
      isFromProvider ? 'The provider reported this outcome itself; it is recorded.' : `The payment is settled as ${outcome}.`,
      ...formatHistory(history),
    ])
  },
})
