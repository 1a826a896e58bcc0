import type { AppContext } from '../../context.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { resolveManually } from '../../payments/reconciliation/manual-resolution.ts'
import { listOpenDiscrepancies } from '../../payments/reconciliation/discrepancies.queries.ts'
import {
  listLedgerEntries,
  listAttemptEvents,
  listAttemptItems,
  findAttemptKey,
  listManualAttempts,
} from '../../payments/reconciliation/review-queue.queries.ts'
import { lookUpAttempt } from '../../payments/engine/look-up.ts'
import { transactAsReseller } from '../../payments/payments-deps.ts'
import { type Attempt, type AttemptKey, findAttempt } from '../../payments/engine/settle.queries.ts'
import type { Command } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { toShownDiscrepancy, formatDiscrepancy } from './reconcile.ts'
import { toDecimal, readEachReseller, readOption, toPaymentsDeps, printResult } from './command-support.ts'

/** `counterfoil payments queue`: lists what needs an operator. */
export const paymentsQueueCommand: Command = async (context, io, _, options) => {
  const attempts = (await readEachReseller(context, options, listManualAttempts)).map(({ amountMinor, ...row }) => ({
    ...row,
    amount: toDecimal(amountMinor, row.currency),
  }))
  const discrepancies = (await readEachReseller(context, options, listOpenDiscrepancies)).map((discrepancy) => ({
    ...toShownDiscrepancy(discrepancy),
    foundAt: discrepancy.foundAt,
  }))
  printResult(io, { attempts, drifts: discrepancies }, () => [
    ...(attempts.length + discrepancies.length === 0 ? ['Nothing needs a person.'] : []),
    ...attempts.map(
      ({ id, resellerId, customerId, provider, amount, currency, createdAt }) =>
        `${id}  reseller ${resellerId}  customer ${customerId}  ${provider}  ${amount} ${currency}  since ${createdAt.toISOString()}`,
    ),
    ...discrepancies.map((discrepancy) => formatDiscrepancy(discrepancy)),
  ])
  return 0
}

/** `counterfoil payments show ATTEMPT`: prints a payment with its history. */
export const paymentsShowCommand: Command = async (context, io, [id = '']) => {
  const history = await readHistory(context, await requireAttemptKey(context, id))
  printResult(io, history, () => formatHistory(history))
  return 0
}

/** `counterfoil payments look-up ATTEMPT`: asks the provider now and settles the result. */
export const paymentsLookUpCommand: Command = async (context, io, [id = '']) => {
  const key = await requireAttemptKey(context, id)
  const { status } = await lookUpAttempt(toPaymentsDeps(context), key, 'operator')
  await transactAsReseller(toPaymentsDeps(context), key.resellerId, (db) =>
    auditOperator(db, context, 'payment.looked-up', { ...auditSubject(key), detail: status }),
  )
  const history = await readHistory(context, key)
  printResult(io, history, () => formatHistory(history))
  return 0
}

const MAX_REASON_CHARACTERS = 500

/** `counterfoil payments settle ATTEMPT --as paid|failed --reason R --yes`: resolves an attempt where the provider cannot say. */
export const paymentsSettleCommand: Command = async (context, io, [id = ''], options) => {
  const [outcome, reason = ''] = [readOption(options, 'as'), readOption(options, 'reason')]
  if (outcome !== 'paid' && outcome !== 'failed') throw new OperatorError('Say what became of the payment: --as paid or --as failed.')
  if (reason === '' || reason.length > MAX_REASON_CHARACTERS || /\p{C}/u.test(reason))
    throw new OperatorError(`Say how you know (--reason), in 1 to ${MAX_REASON_CHARACTERS} characters.`)
  if (options['yes'] !== true) throw new OperatorError('Nothing was changed: this cannot be taken back; say --yes to do it.')
  const key = await requireAttemptKey(context, id)
  const { isFromProvider } = await resolveManually(toPaymentsDeps(context), key, { outcome, reason }, (db, attempt) =>
    auditOperator(db, context, 'payment.settled-by-hand', {
      ...auditSubject(key),
      detail: `${outcome}: ${reason}`,
      after: attempt.status,
    }),
  )
  const history = await readHistory(context, key)
  printResult(io, { ...history, byCompany: isFromProvider }, () => [
    isFromProvider ? 'The company said so itself; its word was written.' : `The payment is settled as ${outcome}.`,
    ...formatHistory(history),
  ])
  return 0
}

const auditSubject = ({ id, resellerId, customerId }: AttemptKey) => ({ resellerId, customerId, subject: `payment ${id}` })

const UUID_FORMAT = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

const requireAttemptKey = async ({ store }: AppContext, id: string): Promise<AttemptKey> => {
  const key = UUID_FORMAT.test(id) ? await store.transact({ role: 'counterfoil_system' }, (db) => findAttemptKey(db, id)) : undefined
  if (key === undefined) throw new OperatorError(`There is no payment ${id}. A payment is named by its id, as payments queue shows it.`)
  return key
}

const readHistory = (context: AppContext, key: AttemptKey) =>
  transactAsReseller(toPaymentsDeps(context), key.resellerId, async (db) => {
    const attempt = await findAttempt(db, key)
    if (attempt === undefined) throw new OperatorError(`There is no payment ${key.id}.`)
    const { currency } = attempt
    return {
      attempt: toAttemptOutput(attempt),
      items: (await listAttemptItems(db, key)).map(({ amountMinor, ...item }) => ({ ...item, amount: toDecimal(amountMinor, currency) })),
      history: await listAttemptEvents(db, key),
      book: (await listLedgerEntries(db, key)).map(({ amountMinor, ...entry }) => ({ ...entry, amount: toDecimal(amountMinor, currency) })),
    }
  })

type PaymentHistory = Awaited<ReturnType<typeof readHistory>>

const toAttemptOutput = (attempt: Attempt) => ({
  id: attempt.id,
  resellerId: attempt.resellerId,
  customerId: attempt.customerId,
  intentId: attempt.intentId,
  provider: attempt.provider,
  providerRef: attempt.providerRef,
  methodType: attempt.methodType,
  status: attempt.status,
  currency: attempt.currency,
  amount: toDecimal(attempt.amountMinor, attempt.currency),
  fee: toDecimal(attempt.feeMinor, attempt.currency),
  refunded: toDecimal(attempt.refundedMinor, attempt.currency),
  reversed: toDecimal(attempt.reversedMinor, attempt.currency),
  declineReason: attempt.declineReason,
  createdAt: attempt.createdAt,
  sentAt: attempt.sentAt,
  nextCheckAt: attempt.nextCheckAt,
})

const formatHistory = ({ attempt, items, history, book }: PaymentHistory): string[] => [
  `${attempt.id}  ${attempt.status}  ${attempt.amount} ${attempt.currency}`,
  `  reseller ${attempt.resellerId}, customer ${attempt.customerId}, ${attempt.provider} ${attempt.providerRef ?? '(no reference yet)'}`,
  ...(attempt.nextCheckAt === null ? [] : [`  is looked up again ${attempt.nextCheckAt.toISOString()}`]),
  ...items.map(
    ({ number, adjustmentId, amount, isBlocked }) =>
      `  pays ${number === null ? `adjustment ${adjustmentId}` : `invoice ${number}`}: ${amount}${isBlocked ? ', which nobody else may pay meanwhile' : ''}`,
  ),
  ...history.map(
    ({ at, from, to, source, note }) => `  ${at.toISOString()}  ${from ?? 'new'} → ${to}  (${source})${note === null ? '' : `  ${note}`}`,
  ),
  ...book.map(({ at, kind, target, amount }) => `  ${at.toISOString()}  booked: ${kind} ${target} ${amount}`),
]
