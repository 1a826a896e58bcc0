import { type Static, Type } from 'typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../kit/clock.ts'
import { ApiError } from '../../kit/api-error.ts'
import type { Transact } from '../../http/request-context.ts'
import { requestInfoOf } from '../../http/request-info.ts'
import type { LocalRateLimiter } from '../../rate-limits/rate-limits.ts'
import { isLoopback } from '../../sso/loopback.ts'
import { portalOriginOf } from './sso-origin.rules.ts'
import { finishSso, handleSamlResponse, type SsoContext, type SsoDeps, startSso, tooManyAttemptsUrl } from './sso.service.ts'

/** b: the company's name; ct: always 2; r: where to go after sign-in (portal.md §4, Single sign-on). What is in them is weighed, never refused: a person follows this address. */
const StartQuery = Type.Object({
  b: Type.String({ default: '' }),
  ct: Type.Optional(Type.String()),
  r: Type.String({ default: '' }),
})

/** An answer of SAML, as a provider has the browser post it. */
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
}

/** `/sso/…`: where the browser goes to sign in through its company, and where the company's provider sends it back to. */
export const registerSsoRoutes = (app: FastifyInstance, deps: SsoRoutesDeps): void => {
  const ssoContext = async (request: FastifyRequest, reply: FastifyReply): Promise<SsoContext> => {
    const host = request.headers.host ?? '' // as the gates read it: what a proxy adds of its own names no brand
    const { hostname } = new URL(URL.canParse(`http://${host}`) ? `http://${host}` : deps.publicUrl)
    const secure = request.protocol === 'https' || deps.publicUrl.startsWith('https:') || isLoopback(hostname)
    const requestInfo = requestInfoOf(request, reply, secure)
    deps.localLimiter.consume('anonymous', requestInfo.address, deps.clock())
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
