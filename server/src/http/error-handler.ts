import type { Endpoint } from '@counterfoil/contract/kit/http/endpoint'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { validationError } from './parse-input.ts'
import { type OAuthError, ApiError, unsupportedMediaType } from '../kit/api-error.ts'

/** The only place that turns an error into a response. */
export const setErrorHandler = (app: FastifyInstance): void => {
  app.setErrorHandler((error: FastifyError | ApiError, request, reply) => sendError(toApiError(error, request), request, reply))
  app.setNotFoundHandler((request, reply) => sendError(new ApiError(404, 'There is nothing at this address.'), request, reply))
}

/** Answers a URL that the router cannot decode. No hook runs for it, so it sets the headers itself. */
export const answerUnreadableUrl = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
  void reply
    .code(error.statusCode ?? 400)
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-request-id': request.id,
    })
    .send({ message: 'This address cannot be read.' })
}

const toApiError = (error: FastifyError | ApiError, request: FastifyRequest): ApiError => {
  if (error instanceof ApiError) return error
  if (error.validation !== undefined) return validationError(error.validation, error.validationContext ?? 'body')
  const database = databaseErrorOf(error)
  if (database !== undefined) return logFailure(database, error, request, 'warn')
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedMediaType()
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500) return new ApiError(status, CLIENT_ERROR_MESSAGES[error.code] ?? 'The request could not be read.')
  return logFailure(
    new ApiError(500, `Something went wrong on our side. Please try again later. (Reference ${request.id})`),
    error,
    request,
    'error',
  )
}

const CLIENT_ERROR_MESSAGES: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'The request is too large.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The request has no body.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The request is not valid JSON.',
}

const BUSY = 'We are very busy just now. Please try again in a moment.'
const UNREACHABLE = 'We cannot reach our records just now. Please try again in a moment.'

/** The error to send when the database failed: nothing was stored, so the request can be sent again. */
const databaseErrorOf = (error: FastifyError): ApiError | undefined => {
  const code = error.code ?? ''
  if (code === '55P03' || code === '57014' || code === '53300')
    return new ApiError(503, BUSY, { retryAfter: 5, oauth: 'temporarily_unavailable' })
  if (code === '53100' || code === '58030' || code === 'ENOSPC')
    return new ApiError(507, 'There is no room left to store this. Please tell your provider; nothing was changed.', {
      oauth: 'temporarily_unavailable',
    })
  if (
    /^(08|57P)/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE'].includes(code) ||
    /\bterminated\b|timeout exceeded when trying to connect/i.test(error.message)
  )
    return new ApiError(503, UNREACHABLE, { retryAfter: 5, oauth: 'temporarily_unavailable' })
  return undefined
}

const logFailure = (apiError: ApiError, error: Error, request: FastifyRequest, level: 'warn' | 'error'): ApiError => {
  request.log[level]({ err: error, requestId: request.id, route: request.routeOptions.url }, 'a call failed')
  return apiError
}

const sendError = (apiError: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const { status, message, parts } = apiError
  const endpoint: Endpoint | undefined = request.routeOptions.config?.endpoint
  void reply.headers({ 'cache-control': 'no-store', ...parts.headers })
  if (parts.retryAfter !== undefined) void reply.header('retry-after', String(parts.retryAfter))
  if (status === 401) void reply.header('www-authenticate', 'Bearer')
  void reply.code(status)
  if (endpoint?.form === true) return reply.send({ error: parts.oauth ?? oauthErrorOf(status), error_description: message })
  return reply.send({
    message,
    ...(parts.userMessage === undefined ? {} : { userMessage: parts.userMessage }),
    ...(parts.errors === undefined ? {} : { errors: parts.errors }),
  })
}

const oauthErrorOf = (status: number): OAuthError => (status >= 500 || status === 429 ? 'temporarily_unavailable' : 'invalid_request')
