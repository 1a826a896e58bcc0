import { nexioMethods } from '@counterfoil/contract/providers/nexio'
import { mutationOptions } from '@tanstack/react-query'
import { callApi } from '../../../api/call-api.ts'
import { METHODS_KEY } from '../../methods/methods.data.ts'

type NewCard = Parameters<typeof callApi<typeof nexioMethods.addNexioCard>>[1]['body']
type CardUpdate = Parameters<typeof callApi<typeof nexioMethods.updateNexioCard>>[1]['body']
type NewAccount = Parameters<typeof callApi<typeof nexioMethods.addNexioAccount>>[1]['body']

/** Mutation options: has our server store a card, by its token or its encrypted number. A failure is shown in the dialog. */
export const addCardMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'add-card'],
    mutationFn: (body: NewCard) => callApi(nexioMethods.addNexioCard, { body }),
    meta: { failure: 'inline' },
    // The body has the security code of the card: it is forgotten with the dialog.
    gcTime: 0,
  })

/**
 * Mutation options: changes expiry, holder and payer of a card, then has all lists of methods loaded again. A failure is shown in the
 * dialog.
 */
export const updateCardMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'update-card'],
    mutationFn: (body: CardUpdate) => callApi(nexioMethods.updateNexioCard, { body }),
    onSuccess: (_saved, _change, _onMutate, { client }) => client.invalidateQueries({ queryKey: METHODS_KEY }),
    meta: { failure: 'inline' },
  })

/** Mutation options: has our server store a bank account, by its encrypted number. A failure is shown in the dialog. */
export const addBankAccountMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'add-account'],
    mutationFn: (body: NewAccount) => callApi(nexioMethods.addNexioAccount, { body }),
    meta: { failure: 'inline' },
    gcTime: 0,
  })

/** Fetches the customer's saved cards of Nexio from our server. */
export const fetchCards = (signal: AbortSignal) => callApi(nexioMethods.nexioCards, { signal })

/** Fetches the customer's saved bank accounts of Nexio from our server. */
export const fetchBankAccounts = (signal: AbortSignal) => callApi(nexioMethods.nexioAccounts, { signal })

/** Has our server remove a saved card from Nexio. */
export const removeCard = (id: string) => callApi(nexioMethods.removeNexioCard, { params: { id } })

/** Has our server remove a saved bank account from Nexio. */
export const removeBankAccount = (id: string) => callApi(nexioMethods.removeNexioAccount, { params: { id } })

/** Has our server make a saved card or bank account the default. */
export const setDefault = (id: string) => callApi(nexioMethods.makeNexioDefault, { body: { id } })
