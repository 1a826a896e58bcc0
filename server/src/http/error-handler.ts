import type { Endpoint } from '@counterfoil/contract/kit/http/endpoint'
import { ERRORS, type ErrorCode, PROBLEM_MEDIA_TYPE, problemType } from '@counterfoil/contract/kit/http/error-codes'
import type { Failure } from '@counterfoil/contract/kit/http/failure'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isLostConnection, UsageBusy, UsageUnreachable } from '../db/lost-connection.ts'
import { ApiError, notFound, unsupportedMediaType } from '../kit/api-error.ts'
import { nonDocumentHeaders, securityHeaders } from './security-headers.ts'

/**
 * Turns every error of a request into a response, and an unknown address into a 404. ApiErrors keep their status; a failure of the database
 * is a 503 or 507, what Fastify cannot read a 4xx, all else a logged 500.
 */
export const setErrorHandler = (app: FastifyInstance): void => {
  app.setErrorHandler((error: FastifyError | ApiError, request, reply) => sendError(toApiError(error, request), request, reply))
  app.setNotFoundHandler((request, reply) => sendError(notFound(), request, reply))
}

/**
 * Makes the handler for a URL that the router cannot decode: a person's browser gets a page of the portal, which says that there is nothing
 * at this address, everybody else a problem in JSON. No hook runs for such a URL, so the handler takes from the limit and sets the headers
 * itself.
 * @param pageOf the portal's page for a URL; null where there is none
 * @param limit throws an ApiError when the client has used up its limit
 */
export const answerUnreadableUrl =
  (pageOf: (url: string) => Buffer | null, isHttps: boolean, limit: (request: FastifyRequest) => void) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const limitError = apiErrorOf(() => limit(request))
    const page = limitError === null && isNavigation(request) ? pageOf(request.url) : null
    const problem = limitError ?? new ApiError('unreadable_request', 'This address cannot be read.')
    void reply.code(limitError?.status ?? error.statusCode ?? 400).headers({ 'cache-control': 'no-store', 'x-request-id': request.id })
    if (problem.options.retryAfter !== undefined) void reply.header('retry-after', String(problem.options.retryAfter))
    if (page !== null) {
      // The URL may hold a secret.
      void reply.headers({ ...securityHeaders(isHttps), 'referrer-policy': 'no-referrer' })
      void reply.type('text/html; charset=utf-8').send(page)
      return
    }
    void reply
      .headers(nonDocumentHeaders(isHttps))
      .type(PROBLEM_MEDIA_TYPE)
      .send(JSON.stringify(toProblem(problem)))
  }

/** The ApiError with which a check refuses; null when it passes. @throws every other error */
const apiErrorOf = (check: () => void): ApiError | null => {
  try {
    check()
    return null
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Whether a browser asks for a document to show to a person: a GET that accepts HTML. */
const isNavigation = ({ method, headers }: FastifyRequest): boolean => method === 'GET' && headers.accept?.includes('text/html') === true

/**
 * The ApiError to answer an error of a handler or of Fastify with: database failures and unexpected errors are logged on the way, refusals
 * are not.
 */
const toApiError = (error: FastifyError | ApiError, request: FastifyRequest): ApiError => {
  if (error instanceof ApiError) return error
  const database = databaseErrorOf(error)
  if (database !== undefined && isRefusal(error)) return database
  if (database !== undefined) return logFailure(database, error, request, 'warn')
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500)
    return CLIENT_ERRORS[error.code]?.() ?? new ApiError('unreadable_request', 'The request could not be read.')
  return logFailure(
    new ApiError('internal_error', `Something went wrong on our side. Please try again later. (Reference ${request.id})`),
    error,
    request,
    'error',
  )
}

const CLIENT_ERRORS: Readonly<Record<string, () => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ApiError('request_too_large', 'The request is too large.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new ApiError('unreadable_request', 'The request has no body.'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new ApiError('unreadable_request', 'The request is not valid JSON.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
}

const BUSY = 'We are very busy just now. Please try again in a moment.'
const UNREACHABLE = 'We cannot reach our records just now. Please try again in a moment.'
const USAGE_UNREACHABLE = 'We cannot read your usage just now. Please try again in a moment.'

/** The 503 or 507 to send for a database error; undefined for any other error. Nothing was stored, so the request can be sent again. */
const databaseErrorOf = (error: FastifyError): ApiError | undefined => {
  const code = error.code ?? ''
  if (code === '55P03' || code === '40P01' || code === '57014' || code === '53300') return new ApiError('busy', BUSY, { retryAfter: 5 })
  if (code === '53100' || code === '58030' || code === 'ENOSPC')
    return new ApiError('storage_full', 'There is no room left to store this. Please tell your provider; nothing was changed.')
  if (error instanceof UsageUnreachable) return new ApiError('database_unavailable', USAGE_UNREACHABLE, { retryAfter: 5 })
  if (isLostConnection(error)) return new ApiError('database_unavailable', UNREACHABLE, { retryAfter: 5 })
  return undefined
}

/** Whether a worker that hangs, or has too many waiting, was not even asked: for hours that is no news. */
const isRefusal = (error: Error): boolean => error instanceof UsageBusy || (error instanceof UsageUnreachable && error.cause === undefined)

/** Logs an error with its request, and returns the given `apiError` unchanged. */
const logFailure = (apiError: ApiError, error: Error, request: FastifyRequest, level: 'warn' | 'error'): ApiError => {
  request.log[level]({ err: error, requestId: request.id, route: request.routeOptions.url }, 'a call failed')
  return apiError
}

/**
 * Sends the response of a refusal: the JSON of OAuth for an endpoint that takes a form (/token, /revoke), else a problem (RFC 9457). Never
 * cached.
 */
const sendError = (apiError: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const { status, options } = apiError
  const endpoint: Endpoint | undefined = request.routeOptions.config?.endpoint
  void reply.headers({ 'cache-control': 'no-store', ...options.headers })
  if (options.retryAfter !== undefined) void reply.header('retry-after', String(options.retryAfter))
  if (status === 401) void reply.header('www-authenticate', 'Bearer')
  void reply.code(status)
  if (endpoint?.form === true) return reply.send(toOAuthError(apiError))
  return reply.type(PROBLEM_MEDIA_TYPE).send(toProblem(apiError))
}

/** The refusal as the JSON body of RFC 9457, with the members of our own that programs already read. */
export const toProblem = ({ code, status, message, options: { userMessage, payment, errors } }: ApiError): Failure => ({
  type: problemType(code),
  title: ERRORS[code].title,
  status,
  detail: message,
  code,
  message,
  ...(userMessage === undefined ? {} : { userMessage }),
  ...(payment === undefined ? {} : { payment }),
  ...(errors === undefined ? {} : { errors }),
})

/** The refusal as the JSON body that OAuth writes, for /token and /revoke. */
export const toOAuthError = (apiError: ApiError): { error: string; error_description: string } => ({
  error: oauthErrorOf(apiError),
  error_description: apiError.message,
})

/** OAuth's own words (RFC 6749 §5.2). */
const OAUTH_ERRORS: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_credentials: 'invalid_grant',
  invalid_grant: 'invalid_grant',
  invalid_client: 'invalid_client',
  unsupported_grant_type: 'unsupported_grant_type',
}

/**
 * The value of OAuth's `error` field; `temporarily_unavailable` for any 5xx and for a 429, `invalid_request` for all that OAuth has no word
 * for.
 */
const oauthErrorOf = ({ code, status }: ApiError): string =>
  OAUTH_ERRORS[code] ?? (status >= 500 || status === 429 ? 'temporarily_unavailable' : 'invalid_request')
