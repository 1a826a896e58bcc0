import { invalidField } from '../api/bpoint-error.ts'
import { type Fields, textField } from '../api/fields.ts'
import type { BpointSession } from '../store/bpoint-session.ts'
import { sydneyDay } from '../store/sydney-time.ts'
import { type Transaction, transactionBody } from './transaction.ts'

const PAGE_SIZE = 50
/** A merchant whose number ends in this sees a transaction in a search a minute after it was made. */
const LAGGING_MERCHANT = /0099$/
const LAG_MS = 60_000

/**
 * The response with one page of transactions of a span of days in Sydney, oldest first, that match the body's filters.
 * @throws BpointError without both days
 */
export const searchTransactions = (session: BpointSession, body: Fields): object => {
  const [fromDate, toDate] = [dayField(body, 'fromDate'), dayField(body, 'toDate')]
  const lagMs = LAGGING_MERCHANT.test(session.account) ? LAG_MS : 0
  const found = session
    .all<Transaction>('txn')
    .toReversed()
    .filter(
      ({ processedAt }) => sydneyDay(processedAt) >= fromDate && sydneyDay(processedAt) <= toDate && processedAt + lagMs <= session.now,
    )
    .filter((transaction) => matches(body, transaction))
  const start = found.findIndex(({ id }) => id === textField(body, 'continueFrom')) + 1
  const page = found.slice(start, start + PAGE_SIZE)
  const last = page.at(-1)
  return {
    resultCount: page.length,
    continueFrom: last !== undefined && start + PAGE_SIZE < found.length ? last.id : null,
    transactions: page.map((transaction) => transactionBody(session, transaction)),
  }
}

/** A day of the body as `YYYY-MM-DD`. @throws BpointError when the day is absent or in another form */
const dayField = (body: Fields, name: string): string => {
  const day = textField(body, name) ?? ''
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw invalidField(name, `${name} is required`, 'Mandatory')
  return day
}

const FILTERS = ['merchantReference', 'crn1', 'responseCode', 'action'] as const

/** Whether the transaction has the value of every filter that the body gives. */
const matches = (body: Fields, transaction: Transaction): boolean =>
  FILTERS.every((name) => textField(body, name) === undefined || textField(body, name) === transaction[name])
