import Fastify, { type FastifyInstance } from 'fastify'
import { authorizeRoutes } from './authorize/authorize.routes.ts'
import { bpointRoutes } from './bpoint/bpoint.routes.ts'
import { handleError, handleNotFound, bodyError } from './http/error-responses.ts'
import { openIdRoutes } from './identity/openid.routes.ts'
import { samlRoutes } from './identity/saml.routes.ts'
import { pageRoutes } from './control/page.routes.ts'
import { controlRoutes } from './control/control.routes.ts'
import { hostedPageRoutes } from './kit/hosted-page.ts'
import { ippayRoutes } from './ippay/ippay.routes.ts'
import { closeProviders } from './providers.ts'
import type { Stores } from './stores.ts'
import { monerisRoutes } from './moneris/moneris.routes.ts'
import { nexioRoutes } from './nexio/nexio.routes.ts'
import { pinchRoutes } from './pinch/pinch.routes.ts'
import { stripeRoutes } from './stripe/stripe.routes.ts'

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
  app.register(stripeRoutes, { prefix: '/stripe', stripe: stores.providers.stripe })
  app.register(authorizeRoutes, { prefix: '/authorize', authorize: stores.providers.authorize })
  app.register(nexioRoutes, { prefix: '/nexio', nexio: stores.providers.nexio })
  app.register(monerisRoutes, { prefix: '/moneris', moneris: stores.providers.moneris })
  app.register(bpointRoutes, { prefix: '/bpoint', bpoint: stores.providers.bpoint })
  app.register(ippayRoutes, { prefix: '/ippay', ippay: stores.providers.ippay })
  app.register(pinchRoutes, { prefix: '/pinch', pinch: stores.providers.pinch })
  app.register(openIdRoutes)
  app.register(samlRoutes)
  return app
}
