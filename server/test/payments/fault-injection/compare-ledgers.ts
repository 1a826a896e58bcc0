import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { type AttemptStatus, isLive, canTransition } from '../../../src/payments/engine/attempt.ts'
import { transactAsReseller, type CustomerKey, type PaymentsDeps } from '../../../src/payments/payments-deps.ts'
import { waitingNotices, type WrittenAttempt, writtenAttempts, writtenInvoices } from './ledger.queries.ts'
import type { Company, CompanyOrder } from './fake-provider.ts'
import type { FaultCase } from './fault-cases.ts'

/** What somebody who paid was told. */
export interface Told {
  readonly attemptId: string
  readonly status: AttemptStatus
  /** Had the company booked it at that moment? */
  readonly wasPaid: boolean
}

export interface Verdict {
  /** Sentences about what is wrong, none when nothing is. */
  readonly wrong: readonly string[]
  /** Invoices that the company was paid for more than once; payments of the company that no invoice shows; attempts that nobody will look at. */
  readonly double: number
  readonly lost: number
  readonly stuck: number
}

/** Holds what was written against the company's books (reliability.md §3.1: I1 to I6). */
export const compareBooks = async (
  context: PaymentsDeps,
  payer: CustomerKey,
  {
    one,
    company,
    intentIds,
    invoiceIds,
    told,
  }: { one: FaultCase; company: Company; intentIds: string[]; invoiceIds: number[]; told: Told[] },
): Promise<Verdict> => {
  const { attempts, invoices, waiting } = await transactAsReseller(context, payer.resellerId, async (db) => ({
    attempts: await writtenAttempts(db, payer.customerId, intentIds),
    invoices: await writtenInvoices(db, payer.customerId, invoiceIds),
    waiting: await waitingNotices(db),
  }))
  const orders = [...company.books.values()]
  const paid = orders.filter(({ state }) => state === 'paid')
  const wrong: string[] = []
  const find = (sentence: string): number => wrong.push(sentence)
  let [double, lost] = [0, 0]
  for (const { number, status, dueMinor, amountMinor } of invoices) {
    const times = paid.filter((order) => order.invoiceNumbers.includes(number))
    if (times.length > 1) double += find(`invoice ${number} was paid ${times.length} times`) && 1
    const isPaid = times.some((order) => !isKnownBack(one, order))
    const isShown = status === INVOICE_STATUS.paid && dueMinor === 0
    if (isPaid && !isShown) lost += find(`invoice ${number} was paid and stands at ${status} with ${dueMinor} due`) && 1
    if (!isPaid && (status !== INVOICE_STATUS.open || dueMinor !== amountMinor))
      find(`invoice ${number} was not paid and stands at ${status} with ${dueMinor} due`)
  }
  for (const order of paid) if (!attempts.some(({ id }) => id === order.attemptId)) lost += find(`nobody knows ${order.attemptId}`) && 1
  for (const attempt of attempts) for (const sentence of faultsOf(attempt, one, company.books.get(attempt.id))) find(sentence)
  const stuck = attempts.filter(({ status }) => isLive(status)).length
  if (stuck > 0) find(`${stuck} attempts have come to no end`)
  if (waiting > 0) find(`${waiting} notices are not done with`)
  for (const answer of told) for (const sentence of liesOf(answer, company.books.get(answer.attemptId))) find(sentence)
  return { wrong, double, lost, stuck }
}

/** A payment that was taken back without a notice that reached us is found by comparing lists alone, which this bench does not do. */
const isKnownBack = ({ notices }: FaultCase, { isTakenBack }: CompanyOrder): boolean =>
  isTakenBack && notices !== 'lost' && notices !== 'forged'

const faultsOf = (attempt: WrittenAttempt, one: FaultCase, order: CompanyOrder | undefined): string[] => {
  const { id, status, amount, booked, paidIn, steps, liveItems, succeededEvents } = attempt
  const isPaid = order?.state === 'paid'
  const isBack = isPaid && order !== undefined && isKnownBack(one, order)
  const expected = isPaid ? [isBack ? 'reversed' : 'succeeded'] : ['declined', 'not-sent', 'expired']
  const faults: string[] = []
  if (!expected.includes(status) && !isLive(status)) faults.push(`${id} is ${status}, the company says ${order?.state ?? 'nothing'}`)
  if (paidIn !== (isPaid ? amount : 0)) faults.push(`${id} has ${paidIn} paid in of ${isPaid ? amount : 0}`)
  if (booked !== (isPaid && !isBack ? amount : 0)) faults.push(`${id} has ${booked} in the book`)
  if (succeededEvents !== (isPaid ? 1 : 0)) faults.push(`the billing engine heard ${succeededEvents} times of ${id}`)
  if (!isLive(status) && liveItems > 0) faults.push(`${id} is ${status} and keeps its invoices`)
  for (const step of steps) {
    const [from, to] = step.split(' ') as [AttemptStatus | '', AttemptStatus]
    if (from !== '' && !canTransition(from, to)) faults.push(`${id} stepped from ${from} to ${to}`)
  }
  return faults
}

/** Nobody was told "paid" before the company said so, nor "failed" of what was paid in the end. */
const liesOf = ({ attemptId, status, wasPaid }: Told, order: CompanyOrder | undefined): string[] => {
  if (status === 'succeeded' && !wasPaid) return [`${attemptId} was called paid before it was`]
  const saysFailed = status === 'declined' || status === 'not-sent' || status === 'expired'
  return saysFailed && order?.state === 'paid' ? [`${attemptId} was called ${status} and was paid`] : []
}
