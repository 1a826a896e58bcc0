import type { AddressInfo } from 'node:net'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Provider } from 'oidc-provider'
import { authenticate } from './accounts.ts'
import { IDENTITY_CSP, loginPage, errorPage } from './login-page.ts'
import { openIdProvider } from './openid-provider.ts'

/** Registers the OpenID provider under `/oidc`: its protocol endpoints and the sign-in form that it redirects to. */
export const openIdRoutes: FastifyPluginAsync = async (app) => {
  let created: Provider | undefined
  /** Created on first use: its issuer is the sandbox's listening address, and generating the key takes time. */
  const provider = (host: string): Provider => (created ??= openIdProvider(`http://${addressOf(app.server.address(), host)}/oidc`))

  app.addHook('onRequest', async (_, reply) => {
    reply.headers({ 'content-security-policy': IDENTITY_CSP, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })

  app.register(async (form) => {
    form.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
    )
    form.get<{ Params: { uid: string } }>('/oidc/interaction/:uid', async (request, reply) => {
      const interaction = await provider(request.host)
        .interactionDetails(request.raw, reply.raw)
        .catch(() => undefined)
      return interaction === undefined ? sendExpired(reply) : sendPage(reply, loginPage({ action: request.url }))
    })
    form.post<{ Body: Record<string, string> }>('/oidc/interaction/:uid', async ({ raw, body, host, url }, reply) => {
      const { username = '', password = '' } = body
      const account = authenticate(username, password)
      const cancelled = body['do'] === 'cancel'
      if (account === undefined && !cancelled) return sendPage(reply.code(400), loginPage({ action: url, failedAttempt: { username } }))
      const result =
        account === undefined || cancelled
          ? { error: 'access_denied', error_description: 'The person cancelled.' }
          : { login: { accountId: account.subject, remember: false } }
      const next = await provider(host)
        .interactionResult(raw, reply.raw, result, { mergeWithLastSubmission: false })
        .catch(() => undefined)
      return next === undefined ? sendExpired(reply) : reply.redirect(next, 303)
    })
  })

  app.register(async (protocol) => {
    // The provider parses request bodies itself.
    protocol.removeAllContentTypeParsers()
    protocol.addContentTypeParser('*', (_, __, done) => done(null))
    protocol.all('/oidc/*', async (request, reply) => {
      const { raw } = request
      reply.hijack()
      Object.assign(raw, { originalUrl: raw.url, url: (raw.url ?? '').slice('/oidc'.length) })
      await provider(request.host).callback()(raw, reply.raw)
    })
  })
}

/** Sends a page of the identity provider. */
const sendPage = (reply: FastifyReply, html: string): FastifyReply => reply.type('text/html; charset=utf-8').send(html)

/** Sends a 400 with the error page of a sign-in that has ended or belongs to another browser. */
const sendExpired = (reply: FastifyReply): FastifyReply =>
  sendPage(reply.code(400), errorPage('This sign-in has ended or belongs to another browser. Go back to the portal and start again.'))

/** The host and port that the server listens on; the request's host while there is none. */
const addressOf = (address: AddressInfo | string | null, host: string): string =>
  typeof address === 'object' && address !== null
    ? `${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
    : host
