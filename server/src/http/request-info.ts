import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../kit/api-error.ts'
import type { RequestInfo } from '../session/request-info.ts'

/**
 * A request's address, host, user agent, origin, Idempotency-Key and cookies. Cookies are read from it and set on its reply, HttpOnly and
 * by default SameSite=Strict.
 * @param secure people reach the server by https: then cookies are Secure and their names begin with __Host-. WebKit keeps no such cookie
 * of a plain http address, not even of localhost.
 * @throws ApiError 400 for an Idempotency-Key that is no single key of bounded length
 */
export const requestInfoOf = (request: FastifyRequest, reply: FastifyReply, secure: boolean): RequestInfo => {
  const fullName = (name: string): string => (secure ? `__Host-${name}` : name)
  return {
    address: request.ip,
    host: hostName(request.headers.host),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 500),
    isFromOtherSite: isFromOtherSite(request),
    idempotencyKey: idempotencyKeyOf(request.headers['idempotency-key']),
    cookie: (name) => request.cookies[fullName(name)],
    setCookie: (name, value, maxAgeSeconds, sameSite = 'strict') => {
      void reply.setCookie(fullName(name), value, { path: '/', maxAge: maxAgeSeconds, httpOnly: true, sameSite, secure })
    },
  }
}

/**
 * Whether a page of another origin (or of another subdomain) made the request, by Sec-Fetch-Site, in older browsers by Origin. False where
 * neither header is sent.
 */
const isFromOtherSite = ({ headers }: FastifyRequest): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin, host } = headers
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase()
}

/**
 * The key without the quotes around it, which belong to the header's syntax (draft-ietf-httpapi-idempotency-key-header); null without the
 * header.
 * @throws ApiError 400 for several headers or a key that is too long
 */
const idempotencyKeyOf = (header: string | string[] | undefined): string | null => {
  if (header === undefined || header === '') return null
  if (typeof header !== 'string' || header.length > 255)
    throw new ApiError('invalid_input', 'The header Idempotency-Key must be one key of at most 255 characters.')
  return header.replace(/^"(.*)"$/, '$1')
}

/** The host's name in a Host header: lower case, without the port; empty without the header. */
export const hostName = (header: string | undefined): string => (header ?? '').toLowerCase().replace(/:\d*$/, '')
