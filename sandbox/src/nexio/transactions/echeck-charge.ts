import { type ApiRequest } from '../api/endpoint.ts'
import { objectField, textField } from '../api/fields.ts'
import type { SavedECheck } from '../vault/saved-echeck.ts'
import { amountDecline, causesTimeout } from './bank-answers.ts'
import { amountAndCurrency } from './card-charge.ts'
import { answerCharge } from './charge.ts'
import { gatewayDecline } from './decline.ts'

/**
 * Debits the bank account as a request of `/processECheck` says; the debit is pending until it is settled. A declined debit is stored, too.
 * @throws NexioError when the request is not valid, the debit is declined or the gateway does not answer in time
 */
export const chargeECheck = ({ session, body, forcedOutcome }: ApiRequest, echeck: SavedECheck): object => {
  const data = objectField(body, 'data')
  const { amount, currency } = amountAndCurrency(data)
  const { id: token, accountHolderName, routingNumber, lastFour, merchantId } = echeck
  return answerCharge(session, {
    merchantId,
    amount,
    currency,
    data,
    method: {
      kind: 'echeck',
      cardHolder: accountHolderName,
      cardNumber: lastFour,
      cardType: null,
      shown: { accountHolderName, routingNumber, lastFour },
      token: { lastFour, token },
    },
    isAuthOnly: false,
    paymentOptionTag: textField(objectField(body, 'processingOptions'), 'paymentOptionTag') ?? null,
    results: {},
    decline: forcedOutcome === 'decline' ? gatewayDecline() : amountDecline(amount),
    timesOut: causesTimeout(amount),
  })
}
