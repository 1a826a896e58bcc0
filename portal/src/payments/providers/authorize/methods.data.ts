import { authorizeMethods } from '@counterfoil/contract/providers/authorize'
import { mutationOptions } from '@tanstack/react-query'
import { callApi } from '../../../api/call-api.ts'
import { METHODS_KEY } from '../../methods/methods.data.ts'

type NewCard = Parameters<typeof callApi<typeof authorizeMethods.addAuthorizeCard>>[1]['body']
type NewAccount = Parameters<typeof callApi<typeof authorizeMethods.addAuthorizeAccount>>[1]['body']
type AccountUpdate = Parameters<typeof callApi<typeof authorizeMethods.updateAuthorizeAccount>>[1]['body']

/** Mutation options: has our server store a card, by its token or its number. A failure is shown in the dialog. */
export const addCardMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'add-card'],
    mutationFn: (body: NewCard) => callApi(authorizeMethods.addAuthorizeCard, { body }),
    meta: { failure: 'inline' },
    // The body has the number of the card: it is forgotten with the dialog.
    gcTime: 0,
  })

/** Mutation options: has our server store a bank account, by its numbers. A failure is shown in the dialog. */
export const addBankAccountMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'add-account'],
    mutationFn: (body: NewAccount) => callApi(authorizeMethods.addAuthorizeAccount, { body }),
    meta: { failure: 'inline' },
    // The body has the number of the account.
    gcTime: 0,
  })

/** Mutation options: changes a bank account, then has all lists of methods loaded again. A failure is shown in the dialog. */
export const updateAccountMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'update-account'],
    mutationFn: (body: AccountUpdate) => callApi(authorizeMethods.updateAuthorizeAccount, { body }),
    onSuccess: (_saved, _change, _onMutate, { client }) => client.invalidateQueries({ queryKey: METHODS_KEY }),
    meta: { failure: 'inline' },
  })

/** Fetches the customer's saved cards of Authorize.net from our server. */
export const fetchCards = (signal: AbortSignal) => callApi(authorizeMethods.authorizeCards, { signal })

/** Fetches the customer's saved bank accounts of Authorize.net from our server. */
export const fetchBankAccounts = (signal: AbortSignal) => callApi(authorizeMethods.authorizeAccounts, { signal })

/** Has our server remove a saved card from Authorize.net. */
export const removeCard = (id: string) => callApi(authorizeMethods.removeAuthorizeCard, { params: { id } })

/** Has our server remove a saved bank account from Authorize.net. */
export const removeBankAccount = (id: string) => callApi(authorizeMethods.removeAuthorizeAccount, { params: { id } })

/** Has our server make a saved card or bank account the default. */
export const setDefault = (id: string) => callApi(authorizeMethods.makeAuthorizeDefault, { body: { id } })
