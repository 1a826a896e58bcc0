import { paymentMethods } from '@counterfoil/contract/payment-methods'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../../../api/call-api.ts'

/** The customer's stored cards. */
export const cardsQuery = () =>
  queryOptions({
    queryKey: ['payment-methods', 'cards'],
    queryFn: ({ signal }) => callApi(paymentMethods.cards, { signal }),
    meta: { failure: 'banner' },
  })

/** The customer's stored bank accounts. */
export const bankMethodsQuery = () =>
  queryOptions({
    queryKey: ['payment-methods', 'banks'],
    queryFn: ({ signal }) => callApi(paymentMethods.bankMethods, { signal }),
    meta: { failure: 'banner' },
  })
