import type { FastifyPluginAsync } from 'fastify'
import { gatewayRoutes } from './api/gateway.routes.ts'
import { hostedRoutes } from './hosted/hosted.routes.ts'
import type { Moneris } from './moneris.ts'

const closeBodySchema = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: { store_id: { type: 'string', minLength: 1 } },
}

/** Registers everything under `/moneris`: gateway, hosted fields, and the sandbox's own call that closes batches as the night does. */
export const monerisRoutes: FastifyPluginAsync<{ moneris: Moneris }> = async (app, { moneris }) => {
  app.register(gatewayRoutes, { moneris })
  hostedRoutes(app, moneris)

  app.post<{ Body: { store_id?: string } | undefined }>('/close-batch', { schema: { body: closeBodySchema } }, async ({ body }) => ({
    closed: moneris.closeBatches(body?.store_id),
  }))
}
