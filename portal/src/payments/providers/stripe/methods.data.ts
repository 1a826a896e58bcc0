import { paymentMethods } from '@counterfoil/contract/payment-methods'
import { mutationOptions } from '@tanstack/react-query'
import { callApi } from '../../../api/call-api.ts'
import { METHODS_KEY } from '../../methods/methods.data.ts'

type CardUpdate = Parameters<typeof callApi<typeof paymentMethods.updateCard>>[1]['body']
type NewCard = Parameters<typeof callApi<typeof paymentMethods.addCard>>[1]['body']

/** Mutation options: has our server store the card that a token stands for. A failure is shown in the dialog. */
export const addCardMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'add-card'],
    mutationFn: (body: NewCard) => callApi(paymentMethods.addCard, { body }),
    meta: { failure: 'inline' },
  })

/**
 * Mutation options: updates expiry, name and address of a card, then has all lists of methods loaded again. A failure is shown in the
 * dialog.
 */
export const updateCardMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'update-card'],
    mutationFn: (body: CardUpdate) => callApi(paymentMethods.updateCard, { body }),
    onSuccess: (_saved, _change, _onMutate, { client }) => client.invalidateQueries({ queryKey: METHODS_KEY }),
    meta: { failure: 'inline' },
  })

/** Has our server remove a saved card from Stripe. */
export const removeCard = (id: string) => callApi(paymentMethods.removeCard, { params: { id } })

/** Has our server remove a saved bank account from Stripe. */
export const removeBankMethod = (id: string) => callApi(paymentMethods.removeBankMethod, { params: { id } })

/** Has our server make a saved card or bank account the default. */
export const setDefault = (id: string) => callApi(paymentMethods.makeDefault, { body: { id } })

/** Asks our server for the setup intent with which Stripe's script confirms a bank account. */
export const fetchSetupIntent = () => callApi(paymentMethods.setupIntent)

/** Has our server store a bank account that Stripe's script has confirmed, whose owner has accepted the mandate. */
export const storeBankAccount = (paymentMethodId: string, paymentMethodType: 'au_becs_debit' | 'sepa_debit') =>
  callApi(paymentMethods.confirmSetup, { body: { paymentMethodId, paymentMethodType } })

/** Asks our server for the URL of Stripe's own page on which a bank account is entered. */
export const fetchCheckoutSession = (type: 'us_bank_account' | 'bacs_debit') =>
  callApi(paymentMethods.checkoutSession, { params: { type } })
