import { readFile } from 'node:fs/promises'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { signedIn } from './accounts.ts'
import { IDENTITY_POLICY, loginPage, onwardPage, troublePage } from './login-page.ts'
import { isPortalAddress } from './portal-address.ts'
import { samlAnswer, samlMetadata, samlRefusal, type SamlRequest, samlRequestOf } from './saml-messages.ts'

const STYLES = new URL('./identity.css', import.meta.url)

const ONWARD = "document.getElementById('onward').submit()"

/** The SAML provider under `/saml`: its metadata, its sign-in form, and the page that posts its answer to the portal. */
export const samlRoutes: FastifyPluginAsync = async (app) => {
  app.addHook('onRequest', async (_, reply) => {
    reply.headers({ 'content-security-policy': IDENTITY_POLICY, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
  )

  app.get('/identity.css', async (_, reply) => reply.type('text/css; charset=utf-8').send(await readFile(STYLES)))
  app.get('/saml/onward.js', async (_, reply) => reply.type('text/javascript; charset=utf-8').send(ONWARD))
  app.get('/saml/metadata', async ({ protocol, host }, reply) =>
    reply.type('application/samlmetadata+xml').send(samlMetadata(`${protocol}://${host}`)),
  )

  app.get<{ Querystring: Record<string, string> }>('/saml/sso', async ({ query }, reply) => {
    const { SAMLRequest = '', RelayState = '' } = query
    if (requestOf(SAMLRequest) === undefined) return notARequest(reply)
    return page(reply, loginPage({ action: '/saml/sso', carried: { SAMLRequest, RelayState } }))
  })
  app.post<{ Body: Record<string, string> }>('/saml/sso', async ({ body }, reply) => {
    const { SAMLRequest = '', RelayState = '', username = '', password = '' } = body
    const request = requestOf(SAMLRequest)
    if (request === undefined) return notARequest(reply)
    if (body['do'] === 'cancel') return page(reply, onwardPage(request.answerTo, { SAMLResponse: samlRefusal(request), RelayState }))
    const account = signedIn(username, password)
    if (account === undefined)
      return page(reply.code(400), loginPage({ action: '/saml/sso', carried: { SAMLRequest, RelayState }, wrong: { username } }))
    return page(reply, onwardPage(request.answerTo, { SAMLResponse: samlAnswer(request, account), RelayState }))
  })
}

const requestOf = (text: string): SamlRequest | undefined => {
  const request = samlRequestOf(text)
  return request !== undefined && isPortalAddress(request.answerTo) ? request : undefined
}

const page = (reply: FastifyReply, html: string): FastifyReply => reply.type('text/html; charset=utf-8').send(html)

const notARequest = (reply: FastifyReply): FastifyReply =>
  page(reply.code(400), troublePage('This is no request of a portal beside this sandbox. Go back to the portal and begin again.'))
