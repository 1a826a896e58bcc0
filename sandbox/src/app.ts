import Fastify, { type FastifyInstance } from 'fastify'
import { handleError, handleNotFound, bodyError } from './http/error-responses.ts'
import { openIdRoutes } from './identity/openid.routes.ts'
import { samlRoutes } from './identity/saml.routes.ts'
import { pageRoutes } from './control/page.routes.ts'
import { controlRoutes } from './control/control.routes.ts'
import { hostedPageRoutes } from './kit/hosted-page.ts'
import { closeProviders, registerProviders } from './providers.ts'
import type { Stores } from './stores.ts'

const BODY_LIMIT_BYTES = 1024 * 1024

/** The sandbox's web server, not yet listening. Each provider is registered under its own prefix. */
export const sandboxApp = (stores: Stores): FastifyInstance => {
  const app = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: true,
    // Validate the body as it was sent, without removing or converting fields.
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, strictTypes: false } },
    schemaErrorFormatter: bodyError,
    frameworkErrors: handleError,
  })
  app.removeContentTypeParser('text/plain')
  const json = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Some clients send the JSON content type without a body.
    if (body === '') done(null, undefined)
    else void json(request, body.toString(), done)
  })
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(handleNotFound)
  app.addHook('onClose', async () => closeProviders(stores.providers))
  app.register(controlRoutes, stores)
  app.register(pageRoutes, stores)
  app.register(hostedPageRoutes)
  registerProviders(app, stores.providers)
  app.register(openIdRoutes)
  app.register(samlRoutes)
  return app
}
