import { autoPay, type ResellerCharge } from '@counterfoil/contract/auto-pay'
import { paymentMethods } from '@counterfoil/contract/payment-methods'
import { mutationOptions } from '@tanstack/react-query'
import { autoPayConsentQuery } from '../../api/account.data.ts'
import { callApi } from '../../api/call-api.ts'
import { bankMethodsQuery, cardsQuery } from '../../payments/providers/stripe/methods.data.ts'

type CardUpdate = Parameters<typeof callApi<typeof paymentMethods.updateCard>>[1]['body']
type NewCard = Parameters<typeof callApi<typeof paymentMethods.addCard>>[1]['body']

/** Saves the card that a token stands for. A failure is shown in the dialog. */
export const addCardMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'add-card'],
    mutationFn: (body: NewCard) => callApi(paymentMethods.addCard, { body }),
    meta: { failure: 'inline' },
  })

/** Updates expiry, name and address of a card. A failure is shown in the dialog. */
export const updateCardMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'update-card'],
    mutationFn: (body: CardUpdate) => callApi(paymentMethods.updateCard, { body }),
    onSuccess: (_saved, _change, _onMutate, { client }) => client.invalidateQueries({ queryKey: cardsQuery().queryKey }),
    meta: { failure: 'inline' },
  })

/** Removes a card. A failure shows the banner. */
export const removeCardMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'remove-card'],
    mutationFn: (id: string) => callApi(paymentMethods.removeCard, { params: { id } }),
    meta: { failure: 'banner' },
  })

/** Removes a bank account. A failure shows the banner. */
export const removeBankMethodMutation = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'remove-bank'],
    mutationFn: (id: string) => callApi(paymentMethods.removeBankMethod, { params: { id } }),
    meta: { failure: 'banner' },
  })

/** Makes a card or a bank account the default. */
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

/** The setup intent with which the provider's script confirms a bank account. */
export const fetchSetupIntent = () => callApi(paymentMethods.setupIntent)

/** Saves a bank account whose owner has accepted the mandate. */
export const storeBankAccount = (paymentMethodId: string, paymentMethodType: 'au_becs_debit' | 'sepa_debit') =>
  callApi(paymentMethods.confirmSetup, { body: { paymentMethodId, paymentMethodType } })

/** The provider's hosted page on which a bank account is entered. */
export const fetchCheckoutSession = (type: 'us_bank_account' | 'bacs_debit') =>
  callApi(paymentMethods.checkoutSession, { params: { type } })

/** Gives or withdraws the permission to charge. The screen shows the value that the server returns. */
export const setConsentMutation = () =>
  mutationOptions({
    mutationKey: ['auto-pay', 'set-consent'],
    mutationFn: (allowResellerCharge: boolean) => callApi(autoPay.setConsent, { body: { allowResellerCharge } }),
    onSuccess: (saved: ResellerCharge, _allowed, _onMutate, { client }) => client.setQueryData(autoPayConsentQuery().queryKey, saved),
    meta: { failure: 'banner' },
  })
