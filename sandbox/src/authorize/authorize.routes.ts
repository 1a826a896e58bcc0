import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import { apiRoutes, handleError } from './api/api.routes.ts'
import type { Authorize } from './authorize.ts'
import { scriptRoute } from '../kit/hosted-page.ts'
import type { WebhookEndpoint } from './webhooks/authorize-webhooks.ts'

const LOGIN_ID = { type: 'string', minLength: 1, maxLength: 25 }

const endpointBodySchema = {
  type: 'object',
  required: ['loginId', 'signatureKey', 'url'],
  additionalProperties: false,
  properties: {
    loginId: LOGIN_ID,
    signatureKey: { type: 'string', minLength: 1, maxLength: 128 },
    url: { type: 'string', pattern: '^https?://.' },
  },
}

interface EndpointBody {
  readonly loginId: string
  readonly signatureKey: string
  readonly url: string
}

const batchBodySchema = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: { loginId: LOGIN_ID },
}

interface BatchBody {
  readonly loginId?: string
}

/** Registers everything under `/authorize`: the API, Accept.js, and the sandbox's own calls that set a webhook and settle card payments. */
export const authorizeRoutes: FastifyPluginAsync<{ authorize: Authorize }> = async (app, { authorize }) => {
  scriptRoute(app, '/v1/Accept.js', new URL('browser/accept.browser.js', import.meta.url))

  // The API reads its bodies itself, because the order of their keys matters.
  await app.register(async (api) => {
    api.removeAllContentTypeParsers()
    api.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    api.setErrorHandler(handleError)
    apiRoutes(api, authorize)
  })

  app.post<{ Body: EndpointBody }>('/webhook-endpoint', { schema: { body: endpointBodySchema } }, async ({ body }) => {
    const { loginId, signatureKey, url } = body
    const session = authorize.openSession(loginId)
    for (const endpoint of session.all<WebhookEndpoint>('webhook_endpoint')) if (endpoint.url === url) session.remove(endpoint.id)
    const { id } = session.put<WebhookEndpoint>({ id: randomUUID(), object: 'webhook_endpoint', url, key: signatureKey })
    return { id, loginId, url }
  })

  app.post<{ Body?: BatchBody | null }>('/settle-batch', { schema: { body: batchBodySchema } }, async ({ body }) => ({
    batches: authorize.settleBatch(body?.loginId),
  }))
}
