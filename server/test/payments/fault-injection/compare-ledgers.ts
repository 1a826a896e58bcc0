import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { type AttemptStatus, isLive, canTransition } from '../../../src/payments/attempts/attempt.ts'
import { transactAsReseller, type PaymentsDeps } from '../../../src/payments/payments-deps.ts'
import type { CustomerScope } from '../../../src/session/scope.ts'
import { countPendingWebhookEvents, type StoredAttempt, readAttempts, readInvoices } from './ledger.queries.ts'
import type { FakePayment } from './fake-payment.ts'
import type { FakeProvider } from './fake-provider.ts'
import type { FaultCase } from './fault-cases.ts'
import type { Misfortune } from '../fault-matrix/misfortunes.ts'

/** A status that a payer was shown. */
export interface ReportedStatus {
  readonly attemptId: string
  readonly status: AttemptStatus
  /** Whether the provider had charged at that moment. */
  readonly wasPaid: boolean
}

export interface LedgerComparison {
  /** What is wrong, in sentences; empty when nothing is. */
  readonly problems: readonly string[]
  /** Counts of invoices charged more than once, charges that no invoice shows, and attempts that nobody looks up any more. */
  readonly double: number
  readonly lost: number
  readonly stuck: number
}

/** A run that has ended. */
interface FoundLedgers {
  readonly faultCase: FaultCase
  readonly provider: FakeProvider
  readonly intentIds: readonly string[]
  readonly invoiceIds: readonly number[]
  readonly reported: readonly ReportedStatus[]
  /** What happened beside the payment, where something did. */
  readonly misfortune?: Pick<Misfortune, 'forbidsCharge' | 'changedDueMinor'>
}

/** Compares what was written with the provider's ledger. */
export const compareLedgers = async (
  context: PaymentsDeps,
  payer: CustomerScope,
  { faultCase, provider, intentIds, invoiceIds, reported, misfortune }: FoundLedgers,
): Promise<LedgerComparison> => {
  const { attempts, invoices, waiting } = await transactAsReseller(context, payer.resellerId, async (db) => ({
    attempts: await readAttempts(db, payer.customerId, intentIds),
    invoices: await readInvoices(db, payer.customerId, invoiceIds),
    waiting: await countPendingWebhookEvents(db),
  }))
  const providerPayments = [...provider.payments.values()]
  const paid = providerPayments.filter(isKept)
  const problems: string[] = []
  const report = (sentence: string): number => problems.push(sentence)
  let [double, lost] = [0, 0]
  if (misfortune?.forbidsCharge === true && paid.length > 0) report('what was paid had changed, and it was charged')
  for (const { id, number, status, dueMinor, amountMinor } of invoices) {
    const charges = paid.filter((order) => order.invoiceNumbers.includes(number))
    const askedMinor = id === invoiceIds[0] ? (misfortune?.changedDueMinor ?? amountMinor) : amountMinor
    const openMinor = askedMinor - sumRefunded(charges, attempts, number)
    const openStatus = openMinor === 0 ? INVOICE_STATUS.paid : INVOICE_STATUS.open
    if (charges.length > 1) double += report(`invoice ${number} was paid ${charges.length} times`) && 1
    const isPaid = charges.some((order) => !isReportedReversal(faultCase, order))
    const isMarkedPaid = status === INVOICE_STATUS.paid && dueMinor === 0
    if (isPaid && !isMarkedPaid) lost += report(`invoice ${number} was paid and stands at ${status} with ${dueMinor} due`) && 1
    if (!isPaid && (status !== openStatus || dueMinor !== openMinor))
      report(`invoice ${number} was not paid and stands at ${status} with ${dueMinor} due`)
  }
  if (faultCase.provider === 'ok' && faultCase.crash === null && faultCase.meanwhile === 'nothing else' && paid.length === 0)
    report('nothing hindered the payment, and it was not made')
  if (faultCase.webhooks.startsWith('made known') && faultCase.shape === 'two steps')
    for (const { merchantReference } of providerPayments.filter(({ state }) => state === 'created'))
      report(`${merchantReference} is left open at the provider`)
  for (const { merchantReference, amount, invoiceNumbers } of providerPayments)
    if (faultCase.meanwhile === 'fee raised' && amount.minor !== sumOf(invoices, invoiceNumbers))
      report(`${merchantReference} is not what was shown`)
  for (const order of paid)
    if (!attempts.some(({ id }) => id === order.merchantReference)) lost += report(`nobody knows ${order.merchantReference}`) && 1
  for (const attempt of attempts)
    for (const sentence of attemptProblems(attempt, faultCase, provider.payments.get(attempt.id))) report(sentence)
  const stuck = attempts.filter(({ id, status }) => isLive(status) && !isLeftToPerson(faultCase, status, provider.payments.get(id))).length
  if (stuck > 0) report(`${stuck} attempts have come to no end`)
  if (waiting > 0) report(`${waiting} webhooks are not done with`)
  for (const answer of reported) for (const sentence of reportingProblems(answer, provider.payments.get(answer.attemptId))) report(sentence)
  return { problems, double, lost, stuck }
}

/** Whether the money arrived, and was not given back before anybody heard of it. */
const isKept = ({ state, isGoneUnknown }: FakePayment): boolean => state === 'succeeded' && !isGoneUnknown

/** What a refund gave back of an invoice, which a reversal of the rest does not ask for again (docs/decisions/0047); the last invoice gives first. */
const sumRefunded = (charges: readonly FakePayment[], attempts: readonly StoredAttempt[], number: string): number => {
  const ofLast = charges.filter(
    ({ merchantReference, invoiceNumbers }) => invoiceNumbers.at(-1) === number && wasRecorded(attempts, merchantReference),
  )
  return Number(ofLast.reduce((sum, { refundedMinor }) => sum + refundedMinor, 0n))
}

const wasRecorded = (attempts: readonly StoredAttempt[], merchantReference: string): boolean =>
  attempts.some(({ id, paidMinor }) => id === merchantReference && paidMinor > 0)

const sumOf = (invoices: readonly { number: string; amountMinor: number }[], numbers: readonly string[]): bigint =>
  BigInt(invoices.filter(({ number }) => numbers.includes(number)).reduce((sum, { amountMinor }) => sum + amountMinor, 0))

/** Where finding nothing proves nothing, an attempt that the provider does not show is looked up for days and then left to an operator. */
const isLeftToPerson = ({ shape }: FaultCase, status: AttemptStatus, order: FakePayment | undefined): boolean =>
  shape === 'one call, absence proves nothing' &&
  (status === 'unknown' || status === 'manual') &&
  (order === undefined || order.state === 'created')

/** A reversal without a webhook is found by reconciliation, which this suite does not run. */
const isReportedReversal = ({ webhooks }: FaultCase, { isReversed }: FakePayment): boolean =>
  isReversed && webhooks !== 'lost' && webhooks !== 'forged'

const UNPAID_STATUSES: readonly string[] = ['declined', 'not_sent', 'expired']
/** Of money that went back before anybody heard of it. */
const GONE_STATUSES: readonly string[] = ['expired', 'reversed']

const attemptProblems = (attempt: StoredAttempt, faultCase: FaultCase, order: FakePayment | undefined): string[] => {
  const { id, status, amount, allocatedMinor: booked, paidMinor: paidIn, steps, liveItems, succeededEvents } = attempt
  const isPaid = order !== undefined && isKept(order)
  const isReversed = isPaid && isReportedReversal(faultCase, order)
  const expected = isPaid ? [isReversed ? 'reversed' : 'succeeded'] : order?.isGoneUnknown === true ? GONE_STATUSES : UNPAID_STATUSES
  const problems: string[] = []
  if (!expected.includes(status) && !isLive(status)) problems.push(`${id} is ${status}, the provider says ${order?.state ?? 'nothing'}`)
  // What was taken back before anybody heard of it was never recorded as paid, and nobody is told of it.
  const isRecorded = isPaid && !(isReversed && status === 'reversed' && paidIn === 0)
  if (paidIn !== (isRecorded ? amount : 0)) problems.push(`${id} has ${paidIn} paid in of ${isRecorded ? amount : 0}`)
  const kept = isPaid && !isReversed ? amount - Number(order.refundedMinor) : 0
  if (booked !== kept) problems.push(`${id} has ${booked} in the ledger of ${kept}`)
  if (succeededEvents !== (isRecorded ? 1 : 0)) problems.push(`the billing engine heard ${succeededEvents} times of ${id}`)
  if (!isLive(status) && liveItems > 0) problems.push(`${id} is ${status} and keeps its invoices`)
  for (const step of steps) {
    const [from, to] = step.split(' ') as [AttemptStatus | '', AttemptStatus]
    if (from !== '' && !canTransition(from, to)) problems.push(`${id} stepped from ${from} to ${to}`)
  }
  return problems
}

/** No payer may see "paid" before the provider charged, nor "failed" of a payment that was charged. */
const reportingProblems = ({ attemptId, status, wasPaid }: ReportedStatus, order: FakePayment | undefined): string[] => {
  if (status === 'succeeded' && !wasPaid) return [`${attemptId} was called paid before it was`]
  const isReportedFailed = status === 'declined' || status === 'not_sent' || status === 'expired'
  return isReportedFailed && order?.state === 'succeeded' ? [`${attemptId} was called ${status} and was paid`] : []
}
