import Fastify, { type FastifyInstance } from 'fastify'
import { answerFailure, answerNothingHere, bodyFault } from './http/error-responses.ts'
import { openIdRoutes } from './identity/openid.routes.ts'
import { samlRoutes } from './identity/saml.routes.ts'
import { pageRoutes } from './control/page.routes.ts'
import { sandboxRoutes } from './control/control.routes.ts'
import type { Stores } from './stores.ts'
import { stripeRoutes } from './stripe/stripe.routes.ts'

const BODY_LIMIT_BYTES = 1024 * 1024

/** The sandbox's web side over its stores, not yet listening. Each provider's stand-in is registered here under its own prefix. */
export const sandboxApp = (stores: Stores): FastifyInstance => {
  const app = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: true,
    // The body is judged as it was sent: nothing dropped, nothing converted.
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, strictTypes: false } },
    schemaErrorFormatter: bodyFault,
    frameworkErrors: answerFailure,
  })
  app.removeContentTypeParser('text/plain')
  const json = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Clients that name JSON on every call do so on calls without a body too.
    if (body === '') done(null, undefined)
    else void json(request, body.toString(), done)
  })
  app.setErrorHandler(answerFailure)
  app.setNotFoundHandler(answerNothingHere)
  app.register(sandboxRoutes, stores)
  app.register(pageRoutes, stores)
  app.register(stripeRoutes, { prefix: '/stripe', stripe: stores.stripe })
  app.register(openIdRoutes)
  app.register(samlRoutes)
  return app
}
