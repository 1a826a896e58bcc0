import { autoPay, type ResellerCharge } from '@counterfoil/contract/auto-pay'
import { paymentMethods } from '@counterfoil/contract/payment-methods'
import { mutationOptions } from '@tanstack/react-query'
import { autoPayConsentQuery } from '../../api/account.data.ts'
import { callApi } from '../../api/call-api.ts'
import { bankMethodsQuery, cardsQuery } from '../../api/payment-methods.data.ts'

type CardUpdate = Parameters<typeof callApi<typeof paymentMethods.updateCard>>[1]['body']
type NewCard = Parameters<typeof callApi<typeof paymentMethods.addCard>>[1]['body']

/** Stores the card that a token stands for. Its failure is told in the dialog. */
export const addCardMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'add-card'],
    mutationFn: (body: NewCard) => callApi(paymentMethods.addCard, { body }),
    meta: { failure: 'inline' },
  })

/** Changes what may change of a card. Its failure is told in the dialog. */
export const updateCardMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'update-card'],
    mutationFn: (body: CardUpdate) => callApi(paymentMethods.updateCard, { body }),
    onSuccess: (_saved, _change, _onMutate, { client }) => client.invalidateQueries({ queryKey: cardsQuery().queryKey }),
    meta: { failure: 'inline' },
  })

/** Removes a card; a failure raises the banner (payments.md §8). */
export const removeCardMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'remove-card'],
    mutationFn: (id: string) => callApi(paymentMethods.removeCard, { params: { id } }),
    meta: { failure: 'banner' },
  })

/** Removes a bank account; a failure raises the banner (payments.md §8). */
export const removeBankMethodMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'remove-bank'],
    mutationFn: (id: string) => callApi(paymentMethods.removeBankMethod, { params: { id } }),
    meta: { failure: 'banner' },
  })

/** Makes a card or a bank account the default one. */
export const setDefaultMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'make-default'],
    mutationFn: (id: string) => callApi(paymentMethods.makeDefault, { body: { id } }),
    onSuccess: async (_nothing, _id, _onMutate, { client }) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: cardsQuery().queryKey }),
        client.invalidateQueries({ queryKey: bankMethodsQuery().queryKey }),
      ])
    },
    meta: { failure: 'banner' },
  })

/** What the company's script needs to take a bank account from its own field. */
export const fetchSetupIntent = () => callApi(paymentMethods.setupIntent)

/** Stores a bank account whose owner has given the mandate. */
export const storeBankAccount = (paymentMethodId: string, paymentMethodType: 'au_becs_debit' | 'sepa_debit') =>
  callApi(paymentMethods.confirmSetup, { body: { paymentMethodId, paymentMethodType } })

/** The company's own page on which a bank account is given. */
export const fetchCheckoutSession = (type: 'us_bank_account' | 'bacs_debit') =>
  callApi(paymentMethods.checkoutSession, { params: { type } })

/** Gives or withdraws the permission to charge; what the server then holds is what the screen shows. */
export const setConsentMutation = () =>
  mutationOptions({
    mutationKey: ['auto-pay', 'set-consent'],
    mutationFn: (allowResellerCharge: boolean) => callApi(autoPay.setConsent, { body: { allowResellerCharge } }),
    onSuccess: (saved: ResellerCharge, _allowed, _onMutate, { client }) => client.setQueryData(autoPayConsentQuery().queryKey, saved),
    meta: { failure: 'banner' },
  })
