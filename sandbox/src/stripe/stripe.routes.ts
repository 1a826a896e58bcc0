import type { FastifyPluginAsync } from 'fastify'
import { handleError, handleNotFound, apiRoutes } from './api/api.routes.ts'
import { authenticationRoutes } from './pages/authentication.routes.ts'
import { browserRoutes } from './browser/browser.routes.ts'
import { checkoutRoutes } from './pages/checkout.routes.ts'
import { callerOf, requireSecretKey } from './api/api-keys.ts'
import { microdepositRoutes } from './pages/microdeposit.routes.ts'
import type { Stripe } from './stripe.ts'
import { createWebhookEndpoint } from './webhooks/webhook-endpoints.ts'

interface EndpointBody {
  readonly key: string
  readonly url: string
  readonly secret?: string
  readonly events?: readonly string[]
}

const endpointBodySchema = {
  type: 'object',
  required: ['key', 'url'],
  additionalProperties: false,
  properties: {
    key: { type: 'string' },
    url: { type: 'string' },
    secret: { type: 'string', minLength: 1 },
    events: { type: 'array', items: { type: 'string' }, minItems: 1 },
  },
}

/** Registers everything under `/stripe`: API, pages, and the sandbox's own call that sets a webhook endpoint with a chosen secret. */
export const stripeRoutes: FastifyPluginAsync<{ stripe: Stripe }> = async (app, { stripe }) => {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(handleNotFound)
  apiRoutes(app, stripe)
  browserRoutes(app)
  authenticationRoutes(app, stripe)
  checkoutRoutes(app, stripe)
  microdepositRoutes(app, stripe)

  app.post<{ Body: EndpointBody }>('/webhook-endpoint', { schema: { body: endpointBodySchema } }, async ({ body }) => {
    const caller = callerOf(undefined, body.key)
    requireSecretKey(caller)
    const sandbox = stripe.openSession(caller.account)
    for (const endpoint of sandbox.all('webhook_endpoint')) if ('url' in endpoint && endpoint.url === body.url) sandbox.remove(endpoint.id)
    const { id, url, sandbox_only } = createWebhookEndpoint(sandbox, body)
    return { id, url, secret: sandbox_only.secret }
  })
}
