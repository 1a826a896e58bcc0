import { readFile } from 'node:fs/promises'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { authenticate } from './accounts.ts'
import { IDENTITY_CSP, loginPage, autoSubmitPage, errorPage } from './login-page.ts'
import { isPortalAddress } from './portal-address.ts'
import { samlResponse, samlMetadata, samlErrorResponse, type SamlRequest, parseSamlRequest } from './saml-messages.ts'

const STYLES = new URL('./identity.css', import.meta.url)

const SUBMIT_SCRIPT = "document.getElementById('onward').submit()"

/** Registers the SAML provider under `/saml`: its metadata, its sign-in form, and the page that posts the response to the portal. */
export const samlRoutes: FastifyPluginAsync = async (app) => {
  app.addHook('onRequest', async (_, reply) => {
    reply.headers({ 'content-security-policy': IDENTITY_CSP, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
  )

  app.get('/identity.css', async (_, reply) => reply.type('text/css; charset=utf-8').send(await readFile(STYLES)))
  app.get('/saml/onward.js', async (_, reply) => reply.type('text/javascript; charset=utf-8').send(SUBMIT_SCRIPT))
  app.get('/saml/metadata', async ({ protocol, host }, reply) =>
    reply.type('application/samlmetadata+xml').send(samlMetadata(`${protocol}://${host}`)),
  )

  app.get<{ Querystring: Record<string, string> }>('/saml/sso', async ({ query }, reply) => {
    const { SAMLRequest = '', RelayState = '' } = query
    if (portalRequestOf(SAMLRequest) === undefined) return sendInvalidRequest(reply)
    return sendPage(reply, loginPage({ action: '/saml/sso', hiddenFields: { SAMLRequest, RelayState } }))
  })
  app.post<{ Body: Record<string, string> }>('/saml/sso', async ({ body }, reply) => {
    const { SAMLRequest = '', RelayState = '', username = '', password = '' } = body
    const request = portalRequestOf(SAMLRequest)
    if (request === undefined) return sendInvalidRequest(reply)
    if (body['do'] === 'cancel')
      return sendPage(reply, autoSubmitPage(request.acsUrl, { SAMLResponse: samlErrorResponse(request), RelayState }))
    const account = authenticate(username, password)
    if (account === undefined)
      return sendPage(
        reply.code(400),
        loginPage({ action: '/saml/sso', hiddenFields: { SAMLRequest, RelayState }, failedAttempt: { username } }),
      )
    return sendPage(reply, autoSubmitPage(request.acsUrl, { SAMLResponse: samlResponse(request, account), RelayState }))
  })
}

/**
 * The sign-in request in the text; undefined when it is not valid, or its response would go to an address that is no portal on this
 * machine.
 */
const portalRequestOf = (text: string): SamlRequest | undefined => {
  const request = parseSamlRequest(text)
  return request !== undefined && isPortalAddress(request.acsUrl) ? request : undefined
}

/** Sends a page of the identity provider. */
const sendPage = (reply: FastifyReply, html: string): FastifyReply => reply.type('text/html; charset=utf-8').send(html)

/** Sends a 400 with the error page of a sign-in request that is not valid. */
const sendInvalidRequest = (reply: FastifyReply): FastifyReply =>
  sendPage(reply.code(400), errorPage('This is not a sign-in request of a portal on this machine. Go back to the portal and start again.'))
