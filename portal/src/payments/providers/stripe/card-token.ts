import { CardElement, CardNumberElement } from '@stripe/react-stripe-js'
import type { Stripe, StripeElements } from '@stripe/stripe-js'

/** Whose card it is, as far as the form asks. */
interface Cardholder {
  readonly name: string
  readonly email?: string
  readonly address?: string
  readonly city?: string
  readonly state?: string
  readonly zip?: string
  readonly country?: string
}

/** What Stripe's script found wrong, in Stripe's words. */
export class ScriptError extends Error {}

const FIELD_NOT_READY = 'The card field is still loading. Try again.'
const DECLINED = 'Your card was declined'

/** The result of a call of the script, which never rejects. @throws ScriptRefusal with Stripe's words */
export const resultOrThrow = <Result extends object>(answer: Result & { error?: { message?: string } | undefined }): Result => {
  if (answer.error !== undefined) throw new ScriptError(answer.error.message ?? DECLINED)
  return answer
}

/**
 * Has Stripe keep the card that is typed into its fields, and gives its token.
 * @throws ScriptRefusal when Stripe refuses the card
 */
export const createCardToken = async (stripe: Stripe | null, elements: StripeElements | null, owner: Cardholder): Promise<string> => {
  const card = elements?.getElement(CardElement) ?? elements?.getElement(CardNumberElement)
  if (stripe === null || !card) throw new ScriptError(FIELD_NOT_READY)
  const { paymentMethod } = resultOrThrow(
    await stripe.createPaymentMethod({ type: 'card', card, billing_details: toBillingDetails(owner) }),
  )
  if (paymentMethod === undefined) throw new ScriptError(DECLINED)
  return paymentMethod.id
}

/** In Stripe's words, without what was left empty. */
const toBillingDetails = ({ name, email, address: line1, city, state, zip: postal_code, country }: Cardholder) => ({
  ...withoutEmpty({ name, email }),
  address: withoutEmpty({ line1, city, state, postal_code, country }),
})

const withoutEmpty = (fields: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) => (text === undefined || text.trim() === '' ? [] : [[name, text.trim()]])),
  )
