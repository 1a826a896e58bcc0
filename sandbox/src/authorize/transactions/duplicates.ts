import { type Fields, fieldsOf, textOf } from '../api/fields.ts'
import type { Instrument } from '../payment-methods/instrument.ts'
import type { AuthorizeSession } from '../store/authorize-session.ts'
import type { Transaction } from './transaction.ts'

interface Comparable {
  readonly amount: number
  readonly instrument: Instrument
  readonly details: Fields
}

/**
 * Whether the same amount was charged to the same number, for the same invoice and customer, within the last `window` milliseconds.
 * Declined charges do not count.
 */
export const isDuplicate = (session: AuthorizeSession, attempt: Comparable, window: number): boolean =>
  session
    .all<Transaction>('transaction')
    .some(
      (transaction) =>
        transaction.type !== 'refundTransaction' &&
        transaction.status !== 'declined' &&
        session.now - transaction.submittedAt < window &&
        fingerprintOf(transaction) === fingerprintOf(attempt),
    )

/** The amount, number, invoice and customer of a charge in one text, equal for duplicates. */
const fingerprintOf = ({ amount, instrument, details }: Comparable): string =>
  [
    amount,
    instrument.fingerprint,
    textOf(fieldsOf(details, 'order'), 'invoiceNumber') ?? '',
    textOf(fieldsOf(details, 'customer'), 'id') ?? '',
  ].join(' ')
