import type { Endpoint, TokenRequest } from '../api/endpoint.ts'
import { type Fields, objectField, requiredText } from '../api/fields.ts'
import { chargeCard } from '../transactions/card-charge.ts'
import { chargeECheck } from '../transactions/echeck-charge.ts'
import { redeemToken, withTokenDefaults } from '../vault/one-time-tokens.ts'
import { parseCard, parseECheck, type RequestWithNumber, saveCard, saveECheck } from '../vault/save-methods.ts'

/**
 * Uses the request's one-time token up, and reads the number in clear that the hosted page sends.
 * @throws NexioError for a used token or without a number
 */
const redeemRequest = (request: TokenRequest, method: 'card' | 'bank'): RequestWithNumber => {
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
    handle: (request) => saveCard(redeemRequest(request, 'card')),
  },
  {
    method: 'POST',
    path: '/hosted/saveECheck',
    operation: 'store',
    needsToken: true,
    handle: (request) => saveECheck(redeemRequest(request, 'bank')),
  },
  {
    method: 'POST',
    path: '/hosted/pay',
    operation: 'charge',
    needsToken: true,
    forcedOutcomes: ['decline', 'action', 'script-action'],
    handle: (request) => {
      const card = parseCard(redeemRequest(request, 'card'))
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
    handle: (request) => chargeECheck({ ...request, body: chargeBody(request) }, parseECheck(redeemRequest(request, 'bank'))),
  },
]
