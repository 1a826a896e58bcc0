/** An expected refusal of a request: its HTTP status, and a title that is the same for every occurrence. */
interface ErrorDefinition {
  readonly status: number
  readonly title: string
}

/**
 * Every machine-readable code of a refused request. The list is closed: programs compare codes, people read `message`.
 * A code never changes its meaning; a new meaning gets a new code.
 */
export const ERRORS = {
  invalid_input: { status: 400, title: 'A value of the request cannot be accepted' },
  unreadable_request: { status: 400, title: 'The request cannot be read' },
  invalid_credentials: { status: 400, title: 'The username or password is wrong' },
  invalid_grant: { status: 400, title: 'The token or code is not valid' },
  unsupported_grant_type: { status: 400, title: 'The grant type is not supported' },
  link_expired: { status: 400, title: 'The link has expired or was used before' },
  customer_required: { status: 400, title: 'The request names no customer' },
  too_many_records: { status: 400, title: 'Too many records match' },
  payment_declined: { status: 400, title: 'The payment was declined' },
  method_declined: { status: 400, title: 'The payment method was declined' },
  provider_refused: { status: 400, title: 'The payment provider did not accept the request' },
  unauthenticated: { status: 401, title: 'Nobody is signed in' },
  invalid_client: { status: 401, title: 'The client id or secret is wrong' },
  invalid_signature: { status: 401, title: 'The signature is not valid' },
  other_site_forbidden: { status: 403, title: 'Another site may not do this' },
  forbidden_for_support: { status: 403, title: 'A support session may not do this' },
  customer_forbidden: { status: 403, title: 'The user may not act for this customer' },
  data_usage_unavailable: { status: 403, title: 'Data usage is not part of this portal' },
  payments_unavailable: { status: 403, title: 'Payments are not available' },
  bulk_payments_unavailable: { status: 403, title: 'Paying several invoices at once is not available' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  method_not_allowed: { status: 405, title: 'This address does not take that method' },
  payment_in_progress: { status: 409, title: 'Another payment is being confirmed' },
  already_paid: { status: 409, title: 'The invoices are paid' },
  amount_changed: { status: 409, title: 'What is due has changed' },
  payment_conflict: { status: 409, title: 'The payment does not fit what is open' },
  document_unreadable: { status: 409, title: 'A file cannot be joined with the others' },
  record_changed: { status: 409, title: 'The record was changed meanwhile' },
  method_not_ready: { status: 409, title: 'The payment method is not confirmed yet' },
  amount_not_accepted: { status: 409, title: 'The amount cannot be charged' },
  currency_not_accepted: { status: 409, title: 'The currency is not accepted' },
  method_not_accepted: { status: 409, title: 'The kind of payment method is not accepted' },
  request_too_large: { status: 413, title: 'The request is too large' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  rate_limited: { status: 429, title: 'Too many requests' },
  sign_in_busy: { status: 429, title: 'Too many people are signing in' },
  download_running: { status: 429, title: 'Another download is running' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  busy: { status: 503, title: 'The server is busy' },
  database_unavailable: { status: 503, title: 'The database is not available' },
  provider_not_configured: { status: 503, title: 'The payment gateway is not configured' },
  provider_unavailable: { status: 503, title: 'The payment gateway does not answer' },
  payment_not_sent: { status: 503, title: 'The payment was not made' },
  storage_full: { status: 507, title: 'There is no storage left' },
} as const satisfies Readonly<Record<string, ErrorDefinition>>

export type ErrorCode = keyof typeof ERRORS

/** The media type of a refusal (RFC 9457). */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json'

/** The `type` of a problem: a URI reference that names the code, relative to the API. */
export const problemType = (code: ErrorCode): string => `/problems/${code}`

export const isErrorCode = (value: unknown): value is ErrorCode => typeof value === 'string' && Object.hasOwn(ERRORS, value)
