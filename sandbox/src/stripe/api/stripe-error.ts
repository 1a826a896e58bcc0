/** The `error` object of a response, with Stripe's field names. */
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

/** An error response of Stripe. */
export class StripeError extends Error {
  readonly status: number
  readonly body: ErrorBody

  constructor(status: number, body: ErrorBody) {
    super(body.message)
    this.status = status
    this.body = body
  }
}

/** Another request works with the object. */
export const lockError = (): StripeError =>
  invalidRequest('There is currently another request for this object in progress.', { code: 'lock_timeout' }, 429)

/** The request is invalid. */
export const invalidRequest = (message: string, details: Partial<ErrorBody> = {}, status = 400): StripeError =>
  new StripeError(status, { type: 'invalid_request_error', message, ...details })

/** The account has no such object. */
export const notFound = (noun: string, id: string, param = 'id'): StripeError =>
  invalidRequest(`No such ${noun}: '${id}'`, { code: 'resource_missing', param }, 404)

/** A failure inside Stripe; the caller cannot know whether the request was carried out. */
export const apiError = (): StripeError =>
  new StripeError(500, { type: 'api_error', message: 'An unknown error occurred. Contact us if it goes on.' })

/** The bank declined, or the card cannot be used. */
export const cardError = (decline: Decline, details: Partial<ErrorBody> = {}): StripeError =>
  new StripeError(402, { type: 'card_error', ...decline, ...details })

/** Why a card or bank account was declined. */
export interface Decline {
  readonly code: string
  readonly decline_code?: string
  readonly message: string
  readonly param?: string
}

/** The response body, with the URL of the error code's documentation. */
export const errorBody = ({ code, ...rest }: ErrorBody): object => ({
  error: code === undefined ? rest : { code, doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`, ...rest },
})
