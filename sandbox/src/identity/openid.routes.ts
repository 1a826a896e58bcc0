import type { AddressInfo } from 'node:net'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Provider } from 'oidc-provider'
import { signedIn } from './accounts.ts'
import { IDENTITY_POLICY, loginPage, troublePage } from './login-page.ts'
import { openIdProvider } from './openid-provider.ts'

/** The OpenID provider under `/oidc`: its own protocol as it is, and the sign-in form that it sends people to. */
export const openIdRoutes: FastifyPluginAsync = async (app) => {
  let opened: Provider | undefined
  /** Made on first use: its name is the address that the sandbox came to listen at, and a key takes a moment. */
  const provider = (host: string): Provider => (opened ??= openIdProvider(`http://${addressOf(app.server.address(), host)}/oidc`))

  app.addHook('onRequest', async (_, reply) => {
    reply.headers({ 'content-security-policy': IDENTITY_POLICY, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })

  app.register(async (form) => {
    form.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
    )
    form.get<{ Params: { uid: string } }>('/oidc/interaction/:uid', async (request, reply) => {
      const known = await provider(request.host)
        .interactionDetails(request.raw, reply.raw)
        .catch(() => undefined)
      return known === undefined ? expired(reply) : page(reply, loginPage({ action: request.url }))
    })
    form.post<{ Body: Record<string, string> }>('/oidc/interaction/:uid', async ({ raw, body, host, url }, reply) => {
      const { username = '', password = '' } = body
      const account = signedIn(username, password)
      const cancelled = body['do'] === 'cancel'
      if (account === undefined && !cancelled) return page(reply.code(400), loginPage({ action: url, wrong: { username } }))
      const result =
        account === undefined || cancelled
          ? { error: 'access_denied', error_description: 'The person cancelled.' }
          : { login: { accountId: account.subject, remember: false } }
      const next = await provider(host)
        .interactionResult(raw, reply.raw, result, { mergeWithLastSubmission: false })
        .catch(() => undefined)
      return next === undefined ? expired(reply) : reply.redirect(next, 303)
    })
  })

  app.register(async (protocol) => {
    // The provider reads its bodies itself.
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

const page = (reply: FastifyReply, html: string): FastifyReply => reply.type('text/html; charset=utf-8').send(html)

const expired = (reply: FastifyReply): FastifyReply =>
  page(reply.code(400), troublePage('This sign-in has ended or belongs to another browser. Go back to the portal and begin again.'))

const addressOf = (address: AddressInfo | string | null, host: string): string =>
  typeof address === 'object' && address !== null
    ? `${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
    : host
