import { paymentMethods } from '@counterfoil/contract/payment-methods'
import { mutationOptions } from '@tanstack/react-query'
import { callApi } from '../../../api/call-api.ts'

type NewCard = Parameters<typeof callApi<typeof paymentMethods.addCard>>[1]['body']
type NewAccount = Parameters<typeof callApi<typeof paymentMethods.confirmSetup>>[1]['body']

/** Mutation options: has our server store the card that a token stands for. A failure is shown in the dialog. */
export const addCardMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'add-card'],
    mutationFn: (body: NewCard) => callApi(paymentMethods.addCard, { body }),
    meta: { failure: 'inline' },
  })

/**
 * Mutation options: has our server store the bank account that a token stands for, whose owner has accepted the mandate. A failure is shown
 * in the dialog.
 */
export const addBankAccountMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'add-account'],
    mutationFn: (body: NewAccount) => callApi(paymentMethods.confirmSetup, { body }),
    meta: { failure: 'inline' },
  })

/** Fetches the customer's saved cards of Pinch from our server. */
export const fetchCards = (signal: AbortSignal) => callApi(paymentMethods.cards, { signal })

/** Fetches the customer's saved bank accounts of Pinch from our server. */
export const fetchBankAccounts = (signal: AbortSignal) => callApi(paymentMethods.bankMethods, { signal })

/** Has our server remove a saved card from Pinch. */
export const removeCard = (id: string) => callApi(paymentMethods.removeCard, { params: { id } })

/** Has our server remove a saved bank account from Pinch. */
export const removeBankAccount = (id: string) => callApi(paymentMethods.removeBankMethod, { params: { id } })

/** Has our server make a saved card or bank account the default. */
export const setDefault = (id: string) => callApi(paymentMethods.makeDefault, { body: { id } })
