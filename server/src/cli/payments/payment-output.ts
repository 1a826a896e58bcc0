import type { AppContext } from '../../context.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { type Attempt, type AttemptKey, findAttempt } from '../../payments/attempts/attempt.queries.ts'
import { findProviderFor, type PaymentsDeps, transactAsReseller } from '../../payments/payments-deps.ts'
import {
  listLedgerEntries,
  listAttemptEvents,
  listAttemptItems,
  findAttemptKey,
} from '../../payments/reconciliation/review-queue.queries.ts'
import { toDecimal, toPaymentsDeps } from './command-support.ts'
import { type ListedPayment, listPayments } from './payments-list.queries.ts'

/** The fields of an audit entry that say whose payment it is about. */
export const auditSubject = ({ id, resellerId, customerId }: AttemptKey) => ({ resellerId, customerId, subject: `payment ${id}` })

const UUID_FORMAT = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Whose payment has this id, of all resellers. @throws OperatorError when there is none, or the text is no UUID */
export const requireAttemptKey = async ({ store }: AppContext, id: string): Promise<AttemptKey> => {
  const key = UUID_FORMAT.test(id) ? await store.transact({ role: 'counterfoil_system' }, (db) => findAttemptKey(db, id)) : undefined
  if (key === undefined) throw new OperatorError(`There is no payment ${id}. A payment is named by its id, as payments queue shows it.`)
  return key
}

/**
 * A payment with its items, its history, its ledger entries, and what an operator can do about it. Amounts are decimal text.
 * @throws OperatorError when there is no such payment
 */
export const readHistory = (context: AppContext, key: AttemptKey) =>
  transactAsReseller(toPaymentsDeps(context), key.resellerId, async (db) => {
    const attempt = await findAttempt(db, key)
    const [listed] = await listPayments(db, { id: key.id, limit: 1 })
    if (attempt === undefined || listed === undefined) throw new OperatorError(`There is no payment ${key.id}.`)
    const { currency } = attempt
    return {
      attempt: { ...toAttemptOutput(attempt), ...toListedPayment({ ...listed, resellerId: key.resellerId }) },
      whatToDo: attempt.status === 'manual' ? unknownOutcomeAdvice(toPaymentsDeps(context), attempt) : [],
      items: (await listAttemptItems(db, key)).map(({ amountMinor, ...item }) => ({ ...item, amount: toDecimal(amountMinor, currency) })),
      history: await listAttemptEvents(db, key),
      book: (await listLedgerEntries(db, key)).map(({ amountMinor, overpaidMinor, ...entry }) => ({
        ...entry,
        amount: toDecimal(amountMinor, currency),
        overpaid: toDecimal(overpaidMinor, currency),
      })),
    }
  })

type PaymentHistory = Awaited<ReturnType<typeof readHistory>>

/** A payment under the field names of `payments list`, with its amount as decimal text. */
export const toListedPayment = ({
  resellerId,
  customerId,
  customerExternalId,
  amountMinor,
  createdAt,
  ...row
}: ListedPayment & { readonly resellerId: number }) => ({
  ...row,
  amount: toDecimal(amountMinor, row.currency),
  createdAt: createdAt.toISOString(),
  customer: customerId,
  customerExternalId,
  reseller: resellerId,
})

/** The fields of a payment attempt for `payments show`, with the amounts as decimal text. */
const toAttemptOutput = (attempt: Attempt) => ({
  id: attempt.id,
  resellerId: attempt.resellerId,
  customerId: attempt.customerId,
  intentId: attempt.intentId,
  provider: attempt.provider,
  accountId: attempt.accountId,
  ourRef: attempt.merchantReference,
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

/**
 * What an operator can do about a payment with an unknown outcome, as sentences: where to look, and which command records what is found.
 */
export const unknownOutcomeAdvice = (
  deps: Pick<PaymentsDeps, 'providers'>,
  { id, merchantReference, provider }: { readonly id: string; readonly merchantReference: string; readonly provider: string },
): string[] => [
  'Nobody knows yet whether it was paid; what it pays cannot be paid again until this is settled.',
  `Ask ${provider} once more: counterfoil payments look-up ${id}`,
  `${findProviderFor(deps, provider)?.reviewText ?? 'Ask the provider.'} The reference: ${merchantReference}`,
  `If it was paid: counterfoil payments settle ${id} --as paid --reason "how you know"`,
  `If it was not: counterfoil payments settle ${id} --as failed --reason "how you know"`,
]

/** The lines about a payment for a terminal: whose, what to do, what it pays, its history and its ledger entries. */
export const formatHistory = ({ attempt, whatToDo: steps, items, history, book }: PaymentHistory): string[] => [
  `${attempt.id}  ${attempt.status}  ${attempt.amount} ${attempt.currency}`,
  `  reseller ${attempt.resellerId}, customer ${attempt.customerId}, ${attempt.provider} ${attempt.providerRef ?? '(no reference yet)'}`,
  ...steps.map((step) => `  ${step}`),
  ...(attempt.nextCheckAt === null ? [] : [`  is looked up again ${attempt.nextCheckAt.toISOString()}`]),
  ...items.map(
    ({ number, adjustmentId, amount, isBlocked }) =>
      `  pays ${number === null ? `adjustment ${adjustmentId}` : `invoice ${number}`}: ${amount}${isBlocked ? ', which nobody else may pay meanwhile' : ''}`,
  ),
  ...history.map(
    ({ at, from, to, source, note }) => `  ${at.toISOString()}  ${from ?? 'new'} → ${to}  (${source})${note === null ? '' : `  ${note}`}`,
  ),
  ...book.map(
    ({ at, kind, target, amount, overpaid }) =>
      `  ${at.toISOString()}  booked: ${kind} ${target} ${amount}${Number(overpaid) === 0 ? '' : `, of which ${overpaid} more than was due`}`,
  ),
]
