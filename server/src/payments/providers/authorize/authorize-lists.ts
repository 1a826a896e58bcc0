import { Type } from 'typebox'
import { addMs } from '../../../kit/clock.ts'
import { matchesSchema } from '../../../kit/schema.ts'
import { type AuthorizeContext, type Fields, queryAuthorize } from './authorize-client.ts'
import { decodeSummary, decodeTransaction, type Transaction, type TransactionSummary } from './authorize-transactions.ts'

const PAGE_SIZE = 1_000
/** More than any batch has: a list that goes on is an error. */
const MAX_PAGES = 500
const DAY_MS = 86_400_000
/** The longest span of days that one request for batches may have. */
const MAX_SPAN_MS = 31 * DAY_MS

const WireList = Type.Object({ transactions: Type.Optional(Type.Array(Type.Unknown())) })
const WireBatches = Type.Object({
  batchList: Type.Optional(Type.Array(Type.Object({ batchId: Type.String() }))),
})

/**
 * Reads one transaction.
 * @throws RejectedRequest E00040 when there is none, E00011 when the account does not let its books be read; Error for no answer
 */
export const readTransaction = async (context: AuthorizeContext, transId: string): Promise<Transaction> => {
  const { transaction } = await queryAuthorize(context, 'getTransactionDetailsRequest', { transId })
  const decoded = decodeTransaction(transaction)
  if (decoded?.transId !== transId) throw new Error('authorize answered for another transaction')
  return decoded
}

/**
 * Lists what is in no batch yet, newest first; declined and voided transactions too.
 * @throws Error when a page cannot be read, so that a list is never taken for complete
 */
export const listUnsettled = (context: AuthorizeContext): AsyncGenerator<TransactionSummary> =>
  listPages(context, 'getUnsettledTransactionListRequest', {})

/**
 * Lists the transactions of the batches that were settled between two instants.
 * @throws Error as listUnsettled
 */
export async function* listSettled(context: AuthorizeContext, from: Date, to: Date): AsyncGenerator<TransactionSummary> {
  for (let start = from; start < to; start = addMs(start, MAX_SPAN_MS)) {
    const end = addMs(start, MAX_SPAN_MS) < to ? addMs(start, MAX_SPAN_MS) : to
    const span = { firstSettlementDate: start.toISOString(), lastSettlementDate: end.toISOString() }
    const body = await queryAuthorize(context, 'getSettledBatchListRequest', span)
    if (!matchesSchema(WireBatches, body)) throw new Error('authorize answered in an unknown format')
    for (const { batchId } of body.batchList ?? []) yield* listPages(context, 'getTransactionListRequest', { batchId })
  }
}

/**
 * The transactions of a list, newest first, read page by page.
 * @throws Error when a page or an entry cannot be read, or the list does not end
 */
async function* listPages(
  context: AuthorizeContext,
  name: 'getTransactionListRequest' | 'getUnsettledTransactionListRequest',
  fields: Fields,
): AsyncGenerator<TransactionSummary> {
  for (let offset = 1; offset <= MAX_PAGES; offset += 1) {
    const body = await queryAuthorize(context, name, {
      ...fields,
      sorting: { orderBy: 'submitTimeUTC', orderDescending: true },
      paging: { limit: PAGE_SIZE, offset },
    })
    if (!matchesSchema(WireList, body)) throw new Error('authorize answered in an unknown format')
    const { transactions = [] } = body
    for (const transaction of transactions) {
      const summary = decodeSummary(transaction)
      if (summary === undefined) throw new Error('authorize listed a transaction in an unknown format')
      yield summary
    }
    if (transactions.length < PAGE_SIZE) return
  }
  throw new Error('authorize lists too many transactions')
}
