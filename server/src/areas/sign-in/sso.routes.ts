import { type Static, Type } from 'typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../kit/clock.ts'
import { ApiError } from '../../kit/api-error.ts'
import type { Transact } from '../../db/transact.ts'
import type { ConcurrencyGate } from '../../http/load/concurrency-gate.ts'
import { requestInfoOf } from '../../http/request-info.ts'
import type { LocalRateLimiter } from '../../rate-limits/rate-limits.ts'
import { portalOriginOf } from './sso-origin.rules.ts'
import { finishSso, handleSamlResponse, type SsoContext, type SsoDeps, startSso, tooManyAttemptsUrl } from './sso.service.ts'

/**
 * b: the organization's name; ct: always 2; r: the page to open after sign-in. Invalid values are ignored instead of rejected, because
 * people follow this link.
 */
const StartQuery = Type.Object({
  b: Type.String({ default: '' }),
  ct: Type.Optional(Type.String()),
  r: Type.String({ default: '' }),
})

/** A SAML response that the browser posts. */
const SamlForm = Type.Object({
  SAMLResponse: Type.String({ minLength: 1, maxLength: 262_144 }),
  RelayState: Type.String({ default: '', maxLength: 128 }),
})

const MAX_SAML_FORM_BYTES = 393_216

interface SsoRoutesDeps extends SsoDeps {
  readonly clock: Clock
  readonly publicUrl: string
  readonly transactAsSystem: Transact
  readonly localLimiter: LocalRateLimiter
  readonly concurrencyGate: ConcurrencyGate
}

/** Registers the start of single sign-on, the callbacks of OpenID Connect and SAML, and the SAML metadata, all at `/sso/…`. */
export const registerSsoRoutes = (app: FastifyInstance, deps: SsoRoutesDeps): void => {
  const ssoContext = async (request: FastifyRequest, reply: FastifyReply): Promise<SsoContext> => {
    const host = request.headers.host ?? '' // the Host header itself: a proxy's forwarded host selects no brand
    const requestInfo = requestInfoOf(request, reply, deps.publicUrl.startsWith('https:'))
    deps.localLimiter.consumeAddress('anonymous', requestInfo.address, deps.clock())
    await deps.concurrencyGate.admitAddress('/sso', request)
    const isBrandHost = (await deps.brandOfHost(requestInfo.host)) !== undefined
    return {
      now: deps.clock(),
      requestInfo,
      transactAsSystem: deps.transactAsSystem,
      origin: portalOriginOf(deps.publicUrl, { protocol: request.protocol, host }, isBrandHost),
    }
  }

  app.get<{ Querystring: Static<typeof StartQuery> }>('/sso/login', { schema: { querystring: StartQuery } }, async (request, reply) => {
    try {
      return reply.redirect(await startSso(deps, await ssoContext(request, reply), request.query))
    } catch (error) {
      const isPerson = request.headers.accept?.includes('text/html') === true
      if (!(error instanceof ApiError) || error.code !== 'rate_limited' || !isPerson) throw error
      return reply.redirect(tooManyAttemptsUrl(request.query.b))
    }
  })
  app.get('/sso/callback', async (request, reply) =>
    reply.redirect(await finishSso(deps, await ssoContext(request, reply), new URLSearchParams(request.url.split('?').slice(1).join('?')))),
  )
  app.get('/sso/metadata', async (request, reply) =>
    reply.type('application/samlmetadata+xml').send(await deps.identityProviders.metadata((await ssoContext(request, reply)).origin)),
  )
  app.post<{ Body: Static<typeof SamlForm> }>(
    '/sso/callback',
    { schema: { body: SamlForm }, bodyLimit: MAX_SAML_FORM_BYTES },
    async (request, reply) => reply.redirect(await handleSamlResponse(deps, await ssoContext(request, reply), request.body), 303),
  )
}
