import type { Endpoint } from '../api/endpoint.ts'
import { optionalText, textField } from '../api/fields.ts'
import { invalidField } from '../api/bpoint-error.ts'
import { getTransaction } from '../transactions/transaction.ts'
import { getToken, newTokenNumber, type Token, tokenBody } from './token.ts'

/** `/tokens`: stored payment methods. */
export const tokenEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/tokens/:id',
    operation: 'methods',
    handle: ({ session, id }) => tokenBody(session, getToken(session, id)),
  },
  {
    method: 'PUT',
    path: '/tokens/:id',
    operation: 'update',
    handle: ({ session, body, id }) => {
      const token = getToken(session, id)
      const changed = {
        crn1: optionalText(body, 'crn1') ?? token.crn1,
        crn2: optionalText(body, 'crn2') ?? token.crn2,
        crn3: optionalText(body, 'crn3') ?? token.crn3,
        emailAddress: optionalText(body, 'emailAddress', 254) ?? token.emailAddress,
      }
      return tokenBody(session, session.put<Token>({ ...token, ...changed, updatedAt: session.now }))
    },
  },
  {
    method: 'DELETE',
    path: '/tokens/:id',
    operation: 'remove',
    handle: ({ session, id }) => {
      session.remove(getToken(session, id).id)
      return null
    },
  },
  {
    method: 'POST',
    path: '/tokens/search',
    operation: 'methods',
    handle: ({ session, body }) => {
      const [crn1, emailAddress] = [textField(body, 'crn1'), textField(body, 'emailAddress')]
      const tokens = session
        .all<Token>('token')
        .filter(
          (token) => (crn1 === undefined || token.crn1 === crn1) && (emailAddress === undefined || token.emailAddress === emailAddress),
        )
      return { resultCount: tokens.length, continueFrom: null, tokens: tokens.map((token) => tokenBody(session, token)) }
    },
  },
  {
    method: 'POST',
    path: '/tokens/txn/:id',
    operation: 'store',
    handle: ({ session, id }) => {
      const { method, crn1, emailAddress, responseCode } = getTransaction(session, id)
      if (responseCode !== '0') throw invalidField('txnNumber', 'The transaction was not approved')
      const times = { createdAt: session.now, updatedAt: session.now }
      const token = session.put<Token>({
        id: newTokenNumber(),
        object: 'token',
        crn1,
        crn2: null,
        crn3: null,
        emailAddress,
        method: method.kind === 'card' ? { ...method, cvnResult: 'S' } : method,
        ...times,
      })
      return tokenBody(session, token)
    },
  },
]
