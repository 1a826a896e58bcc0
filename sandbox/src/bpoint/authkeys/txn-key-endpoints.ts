import { invalidFlow } from '../api/bpoint-error.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { objectField, textField } from '../api/fields.ts'
import { parseMethod, shownMethod } from '../payment-methods/attached-method.ts'
import { getToken } from '../payment-methods/token.ts'
import { charge } from '../transactions/charge.ts'
import { transactionBody } from '../transactions/transaction.ts'
import { parseTxnDetails } from '../transactions/txn-details.ts'
import { type AuthKey, createAuthKey, getAuthKey } from './authkey.ts'

/** `/txns/authkeys`: keys with which a payment is made. */
export const txnKeyEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/txns/authkeys',
    operation: 'start',
    status: 201,
    handle: ({ session }) => ({ authkey: createAuthKey(session, 'txn').id }),
  },
  {
    method: 'PUT',
    path: '/txns/authkeys/:id/txn-details',
    operation: 'details',
    status: 201,
    handle: ({ session, body, id }) => {
      session.put<AuthKey>({ ...getAuthKey(session, id, 'txn'), txnDetails: parseTxnDetails(body) })
      return null
    },
  },
  {
    method: 'PUT',
    path: '/txns/authkeys/:id/payment-method',
    operation: 'attach',
    isPublic: true,
    handle: ({ session, body, id }) => {
      const key = getAuthKey(session, id, 'txn')
      const token = textField(body, 'token') ?? null
      const method = token === null ? parseMethod(body) : getToken(session, token).method
      session.put<AuthKey>({ ...key, attached: { method, token } })
      return {}
    },
  },
  {
    method: 'GET',
    path: '/txns/authkeys/:id/payment-method',
    operation: 'attached',
    handle: ({ session, id }) => {
      const { attached } = getAuthKey(session, id, 'txn')
      if (attached === null) throw invalidFlow('No payment method is attached to the authkey')
      return { accepted: true, surcharge: 0, token: attached.token, ...(attached.token === null ? shownMethod(attached.method) : {}) }
    },
  },
  {
    method: 'POST',
    path: '/txns/authkeys/:id/process',
    operation: 'charge',
    handle: ({ session, body, id, forcedOutcome }) => {
      const key = getAuthKey(session, id, 'txn')
      if (key.txnDetails === null) throw invalidFlow('The authkey has no transaction details')
      if (key.attached === null) throw invalidFlow('No payment method is attached to the authkey')
      session.put<AuthKey>({ ...key, isProcessed: true })
      const webhookUrl = textField(objectField(body, 'webhook'), 'url') ?? null
      const { method, token } = key.attached
      const transaction = charge(session, { details: key.txnDetails, method, token, webhookUrl, forcedOutcome })
      return { txn: transactionBody(session, transaction) }
    },
  },
]
