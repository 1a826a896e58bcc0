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
import { driftFacts, driftText } from './reconcile.ts'
import { decimal, eachReseller, given, paymentsDeps, tell } from './command-support.ts'

/** `counterfoil payments queue`: what nobody but a person can bring to an end. */
export const paymentsQueueCommand: Command = async (context, io, _, options) => {
  const attempts = (await eachReseller(context, options, listManualAttempts)).map(({ amountMinor, ...row }) => ({
    ...row,
    amount: decimal(amountMinor, row.currency),
  }))
  const drifts = (await eachReseller(context, options, listOpenDiscrepancies)).map((drift) => ({
    ...driftFacts(drift),
    foundAt: drift.foundAt,
  }))
  tell(io, { attempts, drifts }, () => [
    ...(attempts.length + drifts.length === 0 ? ['Nothing needs a person.'] : []),
    ...attempts.map(
      ({ id, resellerId, customerId, provider, amount, currency, createdAt }) =>
        `${id}  reseller ${resellerId}  customer ${customerId}  ${provider}  ${amount} ${currency}  since ${createdAt.toISOString()}`,
    ),
    ...drifts.map((drift) => driftText(drift)),
  ])
  return 0
}

/** `counterfoil payments show ATTEMPT`: a payment with all that it has been through. */
export const paymentsShowCommand: Command = async (context, io, [id = '']) => {
  const story = await storyOf(context, await keyMeant(context, id))
  tell(io, story, () => storyLines(story))
  return 0
}

/** `counterfoil payments look-up ATTEMPT`: asks the company now, and writes what it says. */
export const paymentsLookUpCommand: Command = async (context, io, [id = '']) => {
  const key = await keyMeant(context, id)
  const { status } = await lookUpAttempt(paymentsDeps(context), key, 'operator')
  await transactAsReseller(paymentsDeps(context), key.resellerId, (db) =>
    auditOperator(db, context, 'payment.looked-up', { ...about(key), detail: status }),
  )
  const story = await storyOf(context, key)
  tell(io, story, () => storyLines(story))
  return 0
}

const MOST_REASON = 500

/** `counterfoil payments settle ATTEMPT --as paid|failed --reason R --yes`: a person's word, where the company cannot say. */
export const paymentsSettleCommand: Command = async (context, io, [id = ''], options) => {
  const [verdict, reason = ''] = [given(options, 'as'), given(options, 'reason')]
  if (verdict !== 'paid' && verdict !== 'failed') throw new OperatorError('Say what became of the payment: --as paid or --as failed.')
  if (reason === '' || reason.length > MOST_REASON || /\p{C}/u.test(reason))
    throw new OperatorError(`Say how you know (--reason), in 1 to ${MOST_REASON} characters.`)
  if (options['yes'] !== true) throw new OperatorError('Nothing was changed: this cannot be taken back; say --yes to do it.')
  const key = await keyMeant(context, id)
  const { isFromProvider: byCompany } = await resolveManually(paymentsDeps(context), key, { outcome: verdict, reason }, (db, attempt) =>
    auditOperator(db, context, 'payment.settled-by-hand', { ...about(key), detail: `${verdict}: ${reason}`, after: attempt.status }),
  )
  const story = await storyOf(context, key)
  tell(io, { ...story, byCompany }, () => [
    byCompany ? 'The company said so itself; its word was written.' : `The payment is settled as ${verdict}.`,
    ...storyLines(story),
  ])
  return 0
}

const about = ({ id, resellerId, customerId }: AttemptKey) => ({ resellerId, customerId, subject: `payment ${id}` })

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

const keyMeant = async ({ store }: AppContext, id: string): Promise<AttemptKey> => {
  const key = UUID.test(id) ? await store.transact({ role: 'counterfoil_system' }, (db) => findAttemptKey(db, id)) : undefined
  if (key === undefined) throw new OperatorError(`There is no payment ${id}. A payment is named by its id, as payments queue shows it.`)
  return key
}

const storyOf = (context: AppContext, key: AttemptKey) =>
  transactAsReseller(paymentsDeps(context), key.resellerId, async (db) => {
    const attempt = await findAttempt(db, key)
    if (attempt === undefined) throw new OperatorError(`There is no payment ${key.id}.`)
    const { currency } = attempt
    return {
      attempt: factsOf(attempt),
      items: (await listAttemptItems(db, key)).map(({ amountMinor, ...item }) => ({ ...item, amount: decimal(amountMinor, currency) })),
      history: await listAttemptEvents(db, key),
      book: (await listLedgerEntries(db, key)).map(({ amountMinor, ...entry }) => ({ ...entry, amount: decimal(amountMinor, currency) })),
    }
  })

type Story = Awaited<ReturnType<typeof storyOf>>

const factsOf = (attempt: Attempt) => ({
  id: attempt.id,
  resellerId: attempt.resellerId,
  customerId: attempt.customerId,
  intentId: attempt.intentId,
  provider: attempt.provider,
  providerRef: attempt.providerRef,
  methodType: attempt.methodType,
  status: attempt.status,
  currency: attempt.currency,
  amount: decimal(attempt.amountMinor, attempt.currency),
  fee: decimal(attempt.feeMinor, attempt.currency),
  refunded: decimal(attempt.refundedMinor, attempt.currency),
  reversed: decimal(attempt.reversedMinor, attempt.currency),
  declineReason: attempt.declineReason,
  createdAt: attempt.createdAt,
  sentAt: attempt.sentAt,
  nextCheckAt: attempt.nextCheckAt,
})

const storyLines = ({ attempt, items, history, book }: Story): string[] => [
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
