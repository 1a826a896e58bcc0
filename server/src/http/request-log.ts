import type { FastifyInstance } from 'fastify'

/**
 * Logs one line for each answered request: method, route template, status, milliseconds and ids. Never a query, body, token or IP address.
 * Also sends the request's id as `x-request-id`.
 */
export const logRequests = (app: FastifyInstance): void => {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const ids = { userId: request.context?.actor?.userId, customerId: request.context?.scope?.customerId }
    const ms = Math.round(reply.elapsedTime * 10) / 10
    request.log.info({ requestId: request.id, method: request.method, route, status: reply.statusCode, ms, ...ids }, 'call')
  })
}
