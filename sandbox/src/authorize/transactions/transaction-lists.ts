import { AuthorizeError } from '../api/authorize-error.ts'
import { type Fields, fieldsOf, textOf, withoutUndefined } from '../api/fields.ts'
import { NO_RECORDS, type Operation } from '../api/operation.ts'
import { BOOLEAN, DATE_TIME, DIGITS, oneOf, mandatory, text } from '../api/schema.ts'
import { pagingShapes, requestShape } from '../api/shapes.ts'
import type { AuthorizeSession } from '../store/authorize-session.ts'
import { type Batch, toNumber, type Transaction } from './transaction.ts'
import { batchTimes, transactionSummary } from './transaction-details.ts'

const MAX_PAGE = 1000
const MAX_OFFSET = 100_000
const DAY_MS = 86_400_000
const MAX_SPAN_DAYS = 31

/** How long an account whose login id contains `lagging` waits for a transaction to appear among the unsettled ones. */
const LAG_MS = 60_000

/** The response with one page of transactions and the number of all. The order is by time, newest first unless the request reverses it. */
const transactionPage = (request: Fields, transactions: readonly Transaction[]): Fields => {
  const sorting = fieldsOf(request, 'sorting')
  const newestFirst = transactions.toSorted((one, other) => other.submittedAt - one.submittedAt || Number(other.id) - Number(one.id))
  const isDescending = sorting === undefined || textOf(sorting, 'orderDescending') === 'true'
  const shown = pageOf(request, isDescending ? newestFirst : newestFirst.toReversed())
  return {
    ...(shown.length === 0 ? { messages: NO_RECORDS } : { transactions: shown.map(transactionSummary) }),
    totalNumInResultSet: transactions.length,
  }
}

/**
 * The transactions of the request's page; `offset` counts pages from 1.
 * @throws AuthorizeError when the limit or the offset is out of range
 */
const pageOf = (request: Fields, transactions: readonly Transaction[]): readonly Transaction[] => {
  const paging = fieldsOf(request, 'paging')
  const [limit, offset] = [Number(textOf(paging, 'limit') ?? MAX_PAGE), Number(textOf(paging, 'offset') ?? 1)]
  if (limit < 1 || limit > MAX_PAGE) throw new AuthorizeError('E00013', 'Paging Limit is invalid.')
  if (offset < 1 || offset > MAX_OFFSET) throw new AuthorizeError('E00013', 'Paging Offset is invalid.')
  return transactions.slice((offset - 1) * limit, offset * limit)
}

/** The transactions that are in no batch yet, also declined and voided ones. A `lagging` account misses the newest. */
const unsettledTransactions = (session: AuthorizeSession): Transaction[] => {
  const visibleUntil = session.account.includes('lagging') ? session.now - LAG_MS : Infinity
  return session.all<Transaction>('transaction').filter(({ batchId, submittedAt }) => batchId === undefined && submittedAt <= visibleUntil)
}

const getUnsettledTransactionList: Operation = {
  name: 'getUnsettledTransactionListRequest',
  shape: requestShape({ status: oneOf('any', 'pendingApproval'), ...pagingShapes('id', 'submitTimeUTC') }),
  faultOperation: () => 'list',
  isReporting: true,
  handle: ({ session, request }) => {
    const isPendingOnly = textOf(request, 'status') === 'pendingApproval'
    return transactionPage(
      request,
      unsettledTransactions(session).filter(({ status }) => !isPendingOnly || status === 'FDSAuthorizedPendingReview'),
    )
  },
}

const getTransactionList: Operation = {
  name: 'getTransactionListRequest',
  shape: requestShape({ batchId: mandatory(text(255)), ...pagingShapes('id', 'submitTimeUTC') }),
  faultOperation: () => 'list',
  isReporting: true,
  handle: ({ session, request }) => {
    const batch = session.get<Batch>('batch', textOf(request, 'batchId') ?? '')
    return transactionPage(
      request,
      session.all<Transaction>('transaction').filter(({ batchId }) => batchId === batch.id),
    )
  },
}

const getTransactionListForCustomer: Operation = {
  name: 'getTransactionListForCustomerRequest',
  shape: requestShape({
    customerProfileId: mandatory(DIGITS),
    customerPaymentProfileId: DIGITS,
    ...pagingShapes('id', 'submitTimeUTC'),
  }),
  faultOperation: () => 'list',
  isReporting: true,
  handle: ({ session, request }) => {
    const method = textOf(request, 'customerPaymentProfileId')
    return transactionPage(
      request,
      session
        .all<Transaction>('transaction')
        .filter(
          ({ profile }) =>
            profile?.customerProfileId === textOf(request, 'customerProfileId') &&
            (method === undefined || profile?.customerPaymentProfileId === method),
        ),
    )
  },
}

const getSettledBatchList: Operation = {
  name: 'getSettledBatchListRequest',
  shape: requestShape({ includeStatistics: BOOLEAN, firstSettlementDate: DATE_TIME, lastSettlementDate: DATE_TIME }),
  faultOperation: () => 'list',
  isReporting: true,
  handle: ({ session, request }) => {
    const last = timeOf(request, 'lastSettlementDate') ?? session.now
    const first = timeOf(request, 'firstSettlementDate') ?? last - DAY_MS
    if (last - first > MAX_SPAN_DAYS * DAY_MS) throw new AuthorizeError('E00013', 'The date range is invalid.')
    const withStatistics = textOf(request, 'includeStatistics') === 'true'
    const batches = session.all<Batch>('batch').filter(({ settledAt }) => settledAt >= first && settledAt <= last)
    if (batches.length === 0) return { messages: NO_RECORDS }
    return { batchList: batches.map((batch) => batchSummary(session, batch, withStatistics)) }
  },
}

/** A time of the request in milliseconds, in UTC unless it has an offset; undefined when absent. */
const timeOf = (request: Fields, name: string): number | undefined => {
  const written = textOf(request, name)
  if (written === undefined) return undefined
  return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(written) ? written : `${written}Z`)
}

/** A batch as the list of batches shows it. */
const batchSummary = (session: AuthorizeSession, batch: Batch, withStatistics: boolean): Fields =>
  withoutUndefined({
    ...batchTimes(batch),
    paymentMethod: batch.paymentMethod,
    marketType: 'eCommerce',
    product: 'Card Not Present',
    statistics: withStatistics ? batchStatistics(session, batch) : undefined,
  })

/** The amounts and numbers of a batch's transactions by outcome, in one entry; every card counts as Visa. */
const batchStatistics = (session: AuthorizeSession, batch: Batch): Fields[] => {
  const transactions = session.all<Transaction>('transaction').filter(({ batchId }) => batchId === batch.id)
  const settled = transactions.filter(({ status }) => status === 'settledSuccessfully' || status === 'returnedItem')
  const refunds = transactions.filter(({ status }) => status === 'refundSettledSuccessfully')
  const count = (status: Transaction['status']): number => transactions.filter((transaction) => transaction.status === status).length
  return [
    {
      accountType: batch.paymentMethod === 'eCheck' ? 'eCheck' : 'Visa',
      chargeAmount: sumOf(settled),
      chargeCount: settled.length,
      refundAmount: sumOf(refunds),
      refundCount: refunds.length,
      voidCount: count('voided'),
      declineCount: count('declined'),
      errorCount: count('settlementError'),
    },
  ]
}

/** The sum of the amounts in dollars. */
const sumOf = (transactions: readonly Transaction[]): number => toNumber(transactions.reduce((sum, { amount }) => sum + amount, 0))

export const listOperations: readonly Operation[] = [
  getUnsettledTransactionList,
  getSettledBatchList,
  getTransactionList,
  getTransactionListForCustomer,
]
