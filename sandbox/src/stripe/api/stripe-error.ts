/** What stands in the `error` of an answer, in Stripe's own names. */
export interface ErrorBody {
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  readonly message: string
  readonly code?: string
  readonly decline_code?: string
  readonly param?: string
  readonly charge?: string
  readonly payment_intent?: object
  readonly setup_intent?: object
  readonly payment_method?: object
  readonly advice_code?: string
  readonly network_decline_code?: string
}

/** A no of Stripe's, with its status and its body. */
export class StripeError extends Error {
  readonly status: number
  readonly body: ErrorBody

  constructor(status: number, body: ErrorBody) {
    super(body.message)
    this.status = status
    this.body = body
  }
}

/** The request itself is wrong. */
export const invalid = (message: string, more: Partial<ErrorBody> = {}, status = 400): StripeError =>
  new StripeError(status, { type: 'invalid_request_error', message, ...more })

/** There is no such thing in this account. */
export const missing = (noun: string, id: string, param = 'id'): StripeError =>
  invalid(`No such ${noun}: '${id}'`, { code: 'resource_missing', param }, 404)

/** A fault inside Stripe; what became of the request is unknown to the caller. */
export const apiError = (): StripeError =>
  new StripeError(500, { type: 'api_error', message: 'An unknown error occurred. Contact us if it goes on.' })

/** The bank says no, or the card cannot be used; `more` tells of the intent that it belongs to. */
export const cardError = (refusal: CardRefusal, more: Partial<ErrorBody> = {}): StripeError =>
  new StripeError(402, { type: 'card_error', ...refusal, ...more })

/** Why a card or an account was refused. */
export interface CardRefusal {
  readonly code: string
  readonly decline_code?: string
  readonly message: string
  readonly param?: string
}

/** The answer's text: an error with the address of its explanation. */
export const errorAnswer = ({ code, ...rest }: ErrorBody): object => ({
  error: code === undefined ? rest : { code, doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`, ...rest },
})
