import type { Endpoint, TokenRequest } from '../api/endpoint.ts'
import { type Fields, objectField, requiredText } from '../api/fields.ts'
import { chargeCard } from '../transactions/card-charge.ts'
import { chargeECheck } from '../transactions/echeck-charge.ts'
import { redeemToken, withTokenDefaults } from '../vault/one-time-tokens.ts'
import { cardOf, echeckOf, type NumberedRequest, saveCard, saveECheck } from '../vault/save-methods.ts'

/** Uses the token up and takes the number in clear, as the hosted page sends it. */
const redeemedRequest = (request: TokenRequest, method: 'card' | 'bank'): NumberedRequest => {
  redeemToken(request.session, request.token)
  const number = requiredText(objectField(request.body, method), 'number', `${method}.number`).replaceAll(/[ -]/g, '')
  return { request, number }
}

/** The charge that the token's own request describes, with what was typed into the page. */
const chargeBody = ({ token, body }: TokenRequest): Fields => ({
  ...token.request,
  data: withTokenDefaults(token, body, 'data'),
  processingOptions: withTokenDefaults(token, body, 'processingOptions'),
  card: withTokenDefaults(token, body, 'card'),
})

/** What the hosted pages send to the sandbox; Nexio's own pages have such calls too, but nobody else uses them. */
export const hostedEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/hosted/saveCard',
    operation: 'store',
    needsToken: true,
    handle: (request) => saveCard(redeemedRequest(request, 'card')),
  },
  {
    method: 'POST',
    path: '/hosted/saveECheck',
    operation: 'store',
    needsToken: true,
    handle: (request) => saveECheck(redeemedRequest(request, 'bank')),
  },
  {
    method: 'POST',
    path: '/hosted/pay',
    operation: 'charge',
    needsToken: true,
    forcedOutcomes: ['decline', 'action', 'script-action'],
    handle: (request) => {
      const card = cardOf(redeemedRequest(request, 'card'))
      const body = chargeBody(request)
      if (objectField(body, 'processingOptions')['saveCardToken'] !== false) request.session.put(card)
      return chargeCard({ ...request, body }, card)
    },
  },
  {
    method: 'POST',
    path: '/hosted/processECheck',
    operation: 'charge',
    needsToken: true,
    forcedOutcomes: ['decline'],
    handle: (request) => chargeECheck({ ...request, body: chargeBody(request) }, echeckOf(redeemedRequest(request, 'bank'))),
  },
]
