import { cardFields, type CardFieldsStart } from '@counterfoil/contract/card-fields'
import { callApi } from '../../api/call-api.ts'

/**
 * Asks our server for what the provider's card fields need to store a card, such as a public key. @throws ApiError when the request fails
 */
export const startCardFields = (): Promise<CardFieldsStart> => callApi(cardFields.store)

/**
 * Asks our server for what the provider's card fields need to pay the invoice of a payment link. @throws ApiError when the request fails
 */
export const startPayCardFields = (token: string): Promise<CardFieldsStart> => callApi(cardFields.pay, { params: { token } })
