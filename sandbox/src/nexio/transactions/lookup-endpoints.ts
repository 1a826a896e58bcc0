import type { ApiRequest, Endpoint } from '../api/endpoint.ts'
import { type Fields, integerField, textField } from '../api/fields.ts'
import { notFound, serverError, validationError } from '../api/nexio-error.ts'
import { fullRecord, listedRecord } from './transaction-record.ts'
import { paymentBody, referenceOf, type Transaction } from './transaction.ts'

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 100
const LAG_MS = 60_000

/** The newest transaction that is wanted. @throws NexioError when there is none */
const getTransactionBy = ({ session }: ApiRequest, isWanted: (transaction: Transaction) => boolean): Transaction => {
  const found = session.all<Transaction>('transaction').find(isWanted)
  if (found === undefined) throw notFound('Transaction not found')
  return found
}

/** The newest moment whose transactions are listed; the list of an account with `lagging` in its user name is a minute behind. */
const listedUntil = ({ session }: ApiRequest): number =>
  session.account.includes('lagging') ? session.now - LAG_MS : Number.POSITIVE_INFINITY

/**
 * The response with one page of the transactions that match the query, newest first.
 * @throws NexioError (500) without any query, as Nexio does
 */
const listTransactions = (request: ApiRequest): object => {
  const { session, query } = request
  if (Object.keys(query).length === 0) throw serverError()
  const limit = Math.min(integerField(query, 'limit', DEFAULT_LIMIT), MAX_LIMIT)
  const offset = integerField(query, 'offset', 0)
  const until = listedUntil(request)
  const found = session
    .all<Transaction>('transaction')
    .filter((transaction) => transaction.createdAt <= until && matchesQuery(transaction, query))
  return { rows: found.slice(offset, offset + limit).map((transaction) => listedRecord(transaction, query)), limit, offset }
}

/** Whether the transaction has the value of every filter in the query and lies in its span of time. */
const matchesQuery = (transaction: Transaction, query: Fields): boolean => {
  const { merchantId, originalId, status, createdAt } = transaction
  const filters = {
    merchantId,
    'plugin.originalId': originalId,
    'plugin.orderNumber': referenceOf(transaction),
    transactionStatus: String(status),
  }
  const from = dateField(query, 'startDate') ?? Number.NEGATIVE_INFINITY
  const to = dateField(query, 'endDate') ?? Number.POSITIVE_INFINITY
  const matches = Object.entries(filters).every(([name, value]) => query[name] === undefined || textField(query, name) === value)
  return matches && createdAt >= from && createdAt <= to
}

/** The time of a query's field in milliseconds; undefined when absent. @throws NexioError when it is no date */
const dateField = (query: Fields, name: string): number | undefined => {
  const text = textField(query, name)
  if (text === undefined) return undefined
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw validationError(`"${name}" must be a valid date`)
  return ms
}

/** `/transaction/v3` and `/pay/v3/transactionAsyncStatus`. A payment id can be longer than a path parameter, so it is a wildcard. */
export const lookupEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/transaction/v3', operation: 'list', handle: listTransactions },
  {
    method: 'GET',
    path: '/transaction/v3/paymentId/*',
    operation: 'lookup',
    handle: (request) => fullRecord(getTransactionBy(request, ({ id }) => id === request.id)),
  },
  {
    method: 'GET',
    path: '/transaction/v3/:id',
    operation: 'lookup',
    handle: (request) => fullRecord(getTransactionBy(request, ({ number }) => String(number) === request.id)),
  },
  {
    method: 'GET',
    path: '/pay/v3/transactionAsyncStatus/*',
    operation: 'lookup',
    handle: (request) => paymentBody(getTransactionBy(request, ({ id, refNumber }) => [id, refNumber].includes(request.id))),
  },
]
