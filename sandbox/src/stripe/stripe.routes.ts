import type { FastifyPluginAsync } from 'fastify'
import { answerError, answerUnknown, apiRoutes } from './api/api.routes.ts'
import { authenticationRoutes } from './pages/authentication.routes.ts'
import { browserRoutes } from './browser/browser.routes.ts'
import { checkoutRoutes } from './pages/checkout.routes.ts'
import { callerOf, mustBeSecret } from './api/api-keys.ts'
import { microdepositRoutes } from './pages/microdeposit.routes.ts'
import type { Stripe } from './stripe.ts'
import { newWebhookEndpoint } from './webhooks/webhook-endpoints.ts'

interface ListenerBody {
  readonly key: string
  readonly url: string
  readonly secret?: string
  readonly events?: readonly string[]
}

const listenerBody = {
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

/** Everything under `/stripe`: the company's API and pages, and the place where an endpoint of notices is set with a secret of one's choice. */
export const stripeRoutes: FastifyPluginAsync<{ stripe: Stripe }> = async (app, { stripe }) => {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(answerUnknown)
  app.addHook('onClose', async () => stripe.close())
  apiRoutes(app, stripe)
  browserRoutes(app)
  authenticationRoutes(app, stripe)
  checkoutRoutes(app, stripe)
  microdepositRoutes(app, stripe)

  app.post<{ Body: ListenerBody }>('/webhook-endpoint', { schema: { body: listenerBody } }, async ({ body }) => {
    const caller = callerOf(undefined, body.key)
    mustBeSecret(caller)
    const work = stripe.work(caller.account)
    for (const old of work.all('webhook_endpoint')) if ('url' in old && old.url === body.url) work.remove(old.id)
    const { id, url, sandbox_only } = newWebhookEndpoint(work, body)
    return { id, url, secret: sandbox_only.secret }
  })
}
