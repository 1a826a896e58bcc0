import type { FastifyPluginAsync } from 'fastify'
import { gatewayRoutes } from './api/gateway.routes.ts'
import { reportRoutes } from './api/report.routes.ts'
import { hostedRoutes } from './hosted/hosted.routes.ts'
import type { IPpay } from './ippay.ts'

const batchBodySchema = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: { terminal: { type: 'string', minLength: 1 } },
}

const clockBodySchema = {
  type: 'object',
  required: ['now'],
  additionalProperties: false,
  properties: { now: { type: 'integer', minimum: 0 } },
}

/**
 * Registers everything under `/ippay`: gateway, reports, the hosted page, and the sandbox's own calls that close a batch and set the clock.
 */
export const ippayRoutes: FastifyPluginAsync<{ ippay: IPpay }> = async (app, { ippay }) => {
  app.register(gatewayRoutes, { ippay })
  app.register(reportRoutes, { ippay })
  app.register(hostedRoutes, { ippay })

  app.post<{ Body: { terminal?: string } | null | undefined }>(
    '/settle-batch',
    { schema: { body: batchBodySchema } },
    async ({ body }) => ({ settled: ippay.settleBatch(body?.terminal) }),
  )

  app.post<{ Body: { now: number } }>('/clock', { schema: { body: clockBodySchema } }, async ({ body }) => {
    ippay.setClock(body.now)
    return { now: ippay.now() }
  })
}
