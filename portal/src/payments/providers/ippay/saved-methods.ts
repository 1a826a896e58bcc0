import { cardLabel, methodLabel } from '@counterfoil/contract/kit/payments/method-label'
import type { IPpayMethod } from '@counterfoil/contract/providers/ippay'
import { toFact } from '../../methods/method-facts.ts'
import type { SavedMethod } from '../panel.ts'
import { fetchMethods } from './methods.data.ts'

/** Fetches the saved cards and bank accounts that can pay, cards first, in the form that every provider's have. */
export const fetchSavedMethods = async (signal: AbortSignal): Promise<readonly SavedMethod[]> =>
  (await fetchMethods(signal)).map((method) => toSavedMethod(method))

/** What a payment by a saved bank account is sent as (BP-05). */
const DEBIT_TYPE = 'eCheck'

/** A card or a bank account of IPpay in the form that every provider's methods have. */
export const toSavedMethod = (method: IPpayMethod): SavedMethod =>
  method.sourceType === 'ACH' ? toSavedAccount(method) : toSavedCard(method)

/** A card, named by brand and last digits. */
const toSavedCard = ({ id, isDefault, ipPayCard }: IPpayMethod): SavedMethod => {
  const { type, number, expiryMonth, expiryYear } = ipPayCard ?? {}
  const expiry = expiryMonth && expiryYear ? `${String(expiryMonth).padStart(2, '0')}/${expiryYear}` : ''
  return {
    id,
    kind: 'card',
    type: 'card',
    title: cardLabel({ brand: type, last4: number?.slice(-4) }),
    detail: expiry && `Expires ${expiry}`,
    isDefault,
    isPending: false,
    facts: [toFact('Number', number, 'number'), toFact('Expires', expiry, 'expiry date')],
  }
}

/** A bank account, named by its last digits. */
const toSavedAccount = ({ id, isDefault, ipPayBankAccount }: IPpayMethod): SavedMethod => {
  const { accNum, routingNum } = ipPayBankAccount ?? {}
  return {
    id,
    kind: 'bank',
    type: DEBIT_TYPE,
    title: methodLabel(DEBIT_TYPE, { last4: accNum?.slice(-4) }),
    detail: '',
    isDefault,
    isPending: false,
    facts: [toFact('Account', accNum, 'account number'), toFact('Routing number', routingNum, 'routing number')],
  }
}
