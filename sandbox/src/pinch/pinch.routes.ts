import type { FastifyPluginAsync } from 'fastify'
import { apiRoutes, handleError, handleNotFound } from './api/api.routes.ts'
import { authenticationRoutes } from './api/authentication.routes.ts'
import type { Pinch } from './pinch.ts'

/** Registers everything under `/pinch`: the token server, the API of both modes, and the sandbox's own call that ends bearer tokens. */
export const pinchRoutes: FastifyPluginAsync<{ pinch: Pinch }> = async (app, { pinch }) => {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(handleNotFound)
  authenticationRoutes(app, pinch)
  apiRoutes(app, pinch)

  app.post('/expire-tokens', async () => ({ expired: pinch.accessTokens.expireAll() }))
}
