import { autoPay, type ResellerCharge } from '@counterfoil/contract/auto-pay'
import { paymentMethods } from '@counterfoil/contract/payment-methods'
import { mutationOptions } from '@tanstack/react-query'
import { resellerChargeQuery } from '../../api/account.data.ts'
import { ask } from '../../api/call-api.ts'
import { bankMethodsQuery, cardsQuery } from '../../api/payment-methods.data.ts'

type CardChange = Parameters<typeof ask<typeof paymentMethods.updateCard>>[1]['body']
type NewCard = Parameters<typeof ask<typeof paymentMethods.addCard>>[1]['body']

/** Stores the card that a token stands for. Its failure is told in the dialog. */
export const addCard = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'add-card'],
    mutationFn: (body: NewCard) => ask(paymentMethods.addCard, { body }),
    meta: { failure: 'inline' },
  })

/** Changes what may change of a card. Its failure is told in the dialog. */
export const updateCard = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'update-card'],
    mutationFn: (body: CardChange) => ask(paymentMethods.updateCard, { body }),
    onSuccess: (_saved, _change, _onMutate, { client }) => client.invalidateQueries({ queryKey: cardsQuery().queryKey }),
    meta: { failure: 'inline' },
  })

/** Removes a card; a failure raises the banner (payments.md §8). */
export const removeCard = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'remove-card'],
    mutationFn: (id: string) => ask(paymentMethods.removeCard, { params: { id } }),
    meta: { failure: 'banner' },
  })

/** Removes a bank account; a failure raises the banner (payments.md §8). */
export const removeBankMethod = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'remove-bank'],
    mutationFn: (id: string) => ask(paymentMethods.removeBankMethod, { params: { id } }),
    meta: { failure: 'banner' },
  })

/** Makes a card or a bank account the default one. */
export const makeDefault = () =>
  mutationOptions({
    mutationKey: ['payment-methods', 'make-default'],
    mutationFn: (id: string) => ask(paymentMethods.makeDefault, { body: { id } }),
    onSuccess: async (_nothing, _id, _onMutate, { client }) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: cardsQuery().queryKey }),
        client.invalidateQueries({ queryKey: bankMethodsQuery().queryKey }),
      ])
    },
    meta: { failure: 'banner' },
  })

/** What the company's script needs to take a bank account from its own field. */
export const beginSetup = () => ask(paymentMethods.setupIntent)

/** Stores a bank account whose owner has given the mandate. */
export const confirmSetup = (paymentMethodId: string, paymentMethodType: 'au_becs_debit' | 'sepa_debit') =>
  ask(paymentMethods.confirmSetup, { body: { paymentMethodId, paymentMethodType } })

/** The company's own page on which a bank account is given. */
export const checkoutSession = (type: 'us_bank_account' | 'bacs_debit') => ask(paymentMethods.checkoutSession, { params: { type } })

/** Gives or withdraws the permission to charge; what the server then holds is what the screen shows. */
export const setConsent = () =>
  mutationOptions({
    mutationKey: ['auto-pay', 'set-consent'],
    mutationFn: (allowResellerCharge: boolean) => ask(autoPay.setConsent, { body: { allowResellerCharge } }),
    onSuccess: (saved: ResellerCharge, _given, _onMutate, { client }) => client.setQueryData(resellerChargeQuery().queryKey, saved),
    meta: { failure: 'banner' },
  })
