import type { ApiRequest, Endpoint } from '../api/endpoint.ts'
import { objectField, requiredText, textField } from '../api/fields.ts'
import { merchantOf } from '../store/merchants.ts'
import { getCard } from '../vault/saved-card.ts'
import { getECheck, newECheck, type SavedECheck } from '../vault/saved-echeck.ts'
import { chargeCard } from './card-charge.ts'
import { chargeECheck } from './echeck-charge.ts'

/**
 * The stored bank account that the request names, or the one that it carries encrypted, which is not stored.
 * @throws NexioError when there is none, or it is not valid
 */
const debitedAccount = ({ session, body, key }: ApiRequest): SavedECheck => {
  const merchantId = merchantOf(session.account, body)
  const token = textField(objectField(body, 'tokenex'), 'token')
  if (token !== undefined) return { ...getECheck(session, token), merchantId }
  const fields = objectField(body, 'bank')
  const encrypted = requiredText(fields, 'encryptedBankAccountNumber', 'tokenex.token')
  const number = key.decryptDigits(encrypted, 'bank.encryptedBankAccountNumber')
  return newECheck(session, { number, merchantId, fields, customer: objectField(objectField(body, 'data'), 'customer') })
}

/** `/pay/v3/process` and `/pay/v3/processECheck` */
export const chargeEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/pay/v3/process',
    operation: 'charge',
    forcedOutcomes: ['decline', 'action', 'script-action'],
    handle: (request) => {
      const { session, body } = request
      const merchantId = merchantOf(session.account, body)
      const card = getCard(session, requiredText(objectField(body, 'tokenex'), 'token', 'tokenex.token'))
      return chargeCard(request, { ...card, merchantId })
    },
  },
  {
    method: 'POST',
    path: '/pay/v3/processECheck',
    operation: 'charge',
    forcedOutcomes: ['decline'],
    handle: (request) => chargeECheck(request, debitedAccount(request)),
  },
]
