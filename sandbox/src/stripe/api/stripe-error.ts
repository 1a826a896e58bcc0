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

/** The error 429 of an object that another request works with, after which nothing was done; a value, not thrown here. */
export const lockError = (): StripeError =>
  invalidRequest('There is currently another request for this object in progress.', { code: 'lock_timeout' }, 429)

/** The error of an invalid request, with status 400 by default; a value, not thrown here. */
export const invalidRequest = (message: string, details: Partial<ErrorBody> = {}, status = 400): StripeError =>
  new StripeError(status, { type: 'invalid_request_error', message, ...details })

/** The error 404 of an object that the account does not have; a value, not thrown here. */
export const notFound = (noun: string, id: string, param = 'id'): StripeError =>
  invalidRequest(`No such ${noun}: '${id}'`, { code: 'resource_missing', param }, 404)

/** The error 500 of a failure inside Stripe; the caller cannot know whether the request was carried out. */
export const apiError = (): StripeError =>
  new StripeError(500, { type: 'api_error', message: 'An unknown error occurred. Contact us if it goes on.' })

/** The error 402 of a bank that declined, or a card that cannot be used; a value, not thrown here. */
export const cardError = (decline: Decline, details: Partial<ErrorBody> = {}): StripeError =>
  new StripeError(402, { type: 'card_error', ...decline, ...details })

/** Why a card or bank account was declined. */
export interface Decline {
  readonly code: string
  readonly decline_code?: string
  readonly message: string
  readonly param?: string
}

/** The response body of an error, with the URL of the error code's documentation. */
export const errorBody = ({ code, ...rest }: ErrorBody): object => ({
  error: code === undefined ? rest : { code, doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`, ...rest },
})
