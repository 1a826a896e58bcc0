import type { FastifyPluginAsync } from 'fastify'
import { apiRoutes, handleError, handleNotFound } from './api/api.routes.ts'
import type { Nexio } from './nexio.ts'
import { authenticationRoutes } from './pages/authentication.routes.ts'
import { hostedRoutes } from './pages/hosted.routes.ts'

/** Registers everything under `/nexio`: the API, the pages, and the sandbox's own calls for the public key and for settling. */
export const nexioRoutes: FastifyPluginAsync<{ nexio: Nexio }> = async (app, { nexio }) => {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(handleNotFound)
  apiRoutes(app, nexio)
  hostedRoutes(app, nexio)
  authenticationRoutes(app, nexio)

  app.get('/public-key', async (_request, reply) =>
    reply.header('access-control-allow-origin', '*').type('text/plain; charset=utf-8').send(nexio.key.publicKey),
  )
  app.post('/settle-batch', async () => ({ settled: await nexio.settleBatch() }))
}
