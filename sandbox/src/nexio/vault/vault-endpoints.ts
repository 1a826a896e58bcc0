import type { Endpoint } from '../api/endpoint.ts'
import { objectField, requiredText } from '../api/fields.ts'
import { validationError } from '../api/nexio-error.ts'
import { createToken, redeemToken } from './one-time-tokens.ts'
import { saveCard, saveECheck } from './save-methods.ts'
import { cardToken, getCard, type SavedCard, updateCard } from './saved-card.ts'
import { getECheck } from './saved-echeck.ts'

/** A stored card as the vault's calls show it. */
const vaultCard = (card: SavedCard): object => {
  const { expirationMonth, expirationYear, cardHolderName, customer, createdAt, changedAt, merchantId, shouldUpdateCard } = card
  return {
    accountUpdaterStatus: '',
    card: { expirationMonth, expirationYear, cardHolderName },
    data: { customer },
    dateCreated: new Date(createdAt).toISOString(),
    dateLastModified: new Date(changedAt).toISOString(),
    merchantId,
    shouldUpdateCard,
    tokenex: cardToken(card),
  }
}

/** One-time-use tokens, and stored cards and bank accounts. */
export const vaultEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/pay/v3/token',
    operation: 'token',
    handle: ({ session, body }) => {
      const { id, expiresAt } = createToken(session, body)
      return {
        expiration: new Date(expiresAt).toISOString(),
        token: id,
        fraudUrl: `${session.baseUrl}/pay/v3/fingerprint?token=${id}`,
      }
    },
  },
  {
    method: 'POST',
    path: '/pay/v3/saveCard',
    operation: 'store',
    needsToken: true,
    handle: (request) => {
      const { session, token, body, key } = request
      redeemToken(session, token)
      const encrypted = requiredText(objectField(body, 'card'), 'encryptedNumber', 'card.encryptedNumber')
      return saveCard({ request, number: key.decryptDigits(encrypted, 'card.encryptedNumber') })
    },
  },
  {
    method: 'POST',
    path: '/pay/v3/saveECheck',
    operation: 'store',
    needsToken: true,
    handle: (request) => {
      const { session, token, body, key } = request
      redeemToken(session, token)
      const encrypted = requiredText(objectField(body, 'bank'), 'encryptedBankAccountNumber', 'bank.encryptedBankAccountNumber')
      return saveECheck({ request, number: key.decryptDigits(encrypted, 'bank.encryptedBankAccountNumber') })
    },
  },
  {
    method: 'GET',
    path: '/pay/v3/vault/card/:id',
    operation: 'lookup',
    handle: ({ session, id }) => vaultCard(getCard(session, id)),
  },
  {
    method: 'PUT',
    path: '/pay/v3/vault/card/:id',
    operation: 'update',
    handle: ({ session, id, body }) => {
      const card = updateCard(session, getCard(session, id), body)
      session.emit({ type: 'CARD_DATA_UPDATED', merchantId: card.merchantId, data: vaultCard(card) })
      return vaultCard(card)
    },
  },
  {
    method: 'GET',
    path: '/pay/v3/vault/echeck/:id',
    operation: 'lookup',
    handle: ({ session, id }) => {
      const { accountHolderName, routingNumber, customer, createdAt, merchantId, lastFour } = getECheck(session, id)
      const dateCreated = new Date(createdAt).toISOString()
      const tokenex = { lastFour, token: id }
      return {
        bank: { accountHolderName, routingNumber },
        data: { customer },
        dateCreated,
        dateLastModified: dateCreated,
        merchantId,
        tokenex,
      }
    },
  },
  {
    method: 'POST',
    path: '/pay/v3/deleteToken',
    operation: 'remove',
    handle: ({ session, body }) => {
      const { tokens } = body
      if (!Array.isArray(tokens) || tokens.length === 0) throw validationError('"tokens" must be a list of tokens')
      return tokens.map((token: unknown) => {
        const isKnown = ['card', 'echeck'].some((kind) => session.find(kind, String(token)) !== undefined)
        if (isKnown) session.remove(String(token))
        return { token, deleted: isKnown, message: isKnown ? 'Token deleted' : 'Token not found' }
      })
    },
  },
]
