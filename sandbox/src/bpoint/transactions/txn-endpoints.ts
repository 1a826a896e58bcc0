import type { ApiRequest, Endpoint } from '../api/endpoint.ts'
import { invalidField } from '../api/bpoint-error.ts'
import { objectField, textField } from '../api/fields.ts'
import { parseCard } from '../payment-methods/attached-method.ts'
import { charge } from './charge.ts'
import { refund } from './refund.ts'
import { searchTransactions } from './search.ts'
import { getTransaction, transactionBody } from './transaction.ts'
import { parseTxnDetails } from './txn-details.ts'

/** `/txns`: payments by card number, refunds, reversals, and what became of a transaction. */
export const txnEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/txns',
    operation: (body) => (textField(body, 'action') === 'Refund' || textField(body, 'action') === 'Reversal' ? 'refund' : 'charge'),
    handle: (request) => transactionBody(request.session, createTransaction(request)),
  },
  {
    method: 'POST',
    path: '/txns/search',
    operation: 'list',
    handle: ({ session, body }) => searchTransactions(session, body),
  },
  {
    method: 'GET',
    path: '/txns/:id',
    operation: 'lookup',
    handle: ({ session, id }) => transactionBody(session, getTransaction(session, id)),
  },
]

/**
 * Makes a payment by card number, or a refund or reversal of a payment, as the body's `action` says.
 * @throws BpointError for a missing or wrong field
 */
const createTransaction = ({ session, body, forcedOutcome }: ApiRequest) => {
  const details = parseTxnDetails(body)
  if (details.action !== 'Payment') return refund(session, details, forcedOutcome)
  if (body['cardDetails'] === undefined) throw invalidField('cardDetails', 'CardDetails is required', 'Mandatory')
  const method = parseCard(objectField(body, 'cardDetails'), 'cardDetails')
  return charge(session, { details, method, token: null, webhookUrl: null, forcedOutcome })
}
