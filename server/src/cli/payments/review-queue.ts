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
import { command, flag, requiredOption, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { toShownDiscrepancy, formatDiscrepancy } from './reconcile.ts'
import { ONE_RESELLER, printResult, readEachReseller, toDecimal, toPaymentsDeps } from './command-support.ts'

export const paymentsQueueCommand = command({
  name: 'payments queue',
  about: 'list what needs an operator',
  options: { reseller: ONE_RESELLER },
  run: async (context, io, _, options) => {
    const attempts = (await readEachReseller(context, options, listManualAttempts)).map(({ amountMinor, ...row }) => ({
      ...row,
      amount: toDecimal(amountMinor, row.currency),
    }))
    const discrepancies = (await readEachReseller(context, options, listOpenDiscrepancies)).map((discrepancy) => ({
      ...toShownDiscrepancy(discrepancy),
      foundAt: discrepancy.foundAt,
    }))
    return printResult(io, { attempts, drifts: discrepancies }, () => [
      ...(attempts.length + discrepancies.length === 0 ? ['Nothing needs an operator.'] : []),
      ...attempts.map(
        ({ id, resellerId, customerId, provider, amount, currency, createdAt }) =>
          `${id}  reseller ${resellerId}  customer ${customerId}  ${provider}  ${amount} ${currency}  since ${createdAt.toISOString()}`,
      ),
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

export const paymentsSettleCommand = command({
  name: 'payments settle',
  about: 'state the outcome of a payment that the provider cannot tell',
  arguments: { payment: 'text' },
  options: {
    as: requiredOption(textOption('outcome', 'paid or failed')),
    reason: requiredOption(textOption('words', 'how you know; kept in the audit log')),
    yes: flag('do it without being asked'),
  },
  note: 'The provider is asked first, and its answer takes precedence. Settling as failed lets the invoices be paid again.',
  confirm: ({ payment }, { as }) => `Settle the payment ${payment} as ${as}? It cannot be taken back.`,
  run: async (context, io, { payment: id }, options) => {
    const [outcome, reason] = [options.as.trim(), options.reason.trim()]
    if (outcome !== 'paid' && outcome !== 'failed') throw new OperatorError('Say what became of the payment: --as paid or --as failed.')
    if (reason === '' || reason.length > MAX_REASON_CHARACTERS || /\p{C}/u.test(reason))
      throw new OperatorError(`Say how you know (--reason), in 1 to ${MAX_REASON_CHARACTERS} characters.`)
    if (options.yes !== true) throw new OperatorError('Nothing was changed: this cannot be taken back; say --yes to do it.')
    const key = await requireAttemptKey(context, id)
    const { isFromProvider } = await resolveManually(toPaymentsDeps(context), key, { outcome, reason }, (db, attempt) =>
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
