import { CardElement, CardNumberElement } from '@stripe/react-stripe-js'
import type { Stripe, StripeElements } from '@stripe/stripe-js'
import { ShownError } from '../../../../api/api-error.ts'
import type { CardHolder } from '../../panel.ts'

const FIELD_NOT_READY = 'The card field is still loading. Try again.'
const DECLINED = 'Your card was declined'

/**
 * The response of a call of Stripe's script, which never rejects, when it has no error.
 * @throws ShownError with Stripe's text
 */
export const resultOrThrow = <Result extends object>(response: Result & { error?: { message?: string } | undefined }): Result => {
  if (response.error !== undefined) throw new ShownError(response.error.message ?? DECLINED)
  return response
}

/**
 * Creates a Stripe payment method of the card in Stripe's fields, and returns its id.
 * @throws ShownError when Stripe rejects the card
 */
export const createCardToken = async (stripe: Stripe | null, elements: StripeElements | null, holder: CardHolder): Promise<string> => {
  const card = elements?.getElement(CardElement) ?? elements?.getElement(CardNumberElement)
  if (stripe === null || !card) throw new ShownError(FIELD_NOT_READY)
  const { paymentMethod } = resultOrThrow(
    await stripe.createPaymentMethod({ type: 'card', card, billing_details: toBillingDetails(holder) }),
  )
  if (paymentMethod === undefined) throw new ShownError(DECLINED)
  return paymentMethod.id
}

/** Stripe's billing details, without empty fields. */
const toBillingDetails = ({ name, email, address: line1, city, state, zip: postal_code, country }: CardHolder) => ({
  ...withoutEmpty({ name, email }),
  address: withoutEmpty({ line1, city, state, postal_code, country }),
})

/** The fields trimmed, without those that are blank or undefined. */
const withoutEmpty = (fields: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) => (text === undefined || text.trim() === '' ? [] : [[name, text.trim()]])),
  )
