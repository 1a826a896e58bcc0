import type { FastifyPluginAsync } from 'fastify'
import { apiRoutes, handleError, handleNotFound } from './api/api.routes.ts'
import { invalidField } from './api/bpoint-error.ts'
import { textField, toFields } from './api/fields.ts'
import type { Bpoint } from './bpoint.ts'
import { scriptRoute } from '../kit/hosted-page.ts'

/** Registers everything under `/bpoint`: the API, the script that a page loads, and the sandbox's own call that sets the clock. */
export const bpointRoutes: FastifyPluginAsync<{ bpoint: Bpoint }> = async (app, { bpoint }) => {
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(handleNotFound)
  apiRoutes(app, bpoint)
  scriptRoute(app, '/rest/clientscripts/api.js', new URL('browser/api.browser.js', import.meta.url))

  app.post('/clock', async (request) => {
    const at = Date.parse(textField(toFields(request.body), 'at') ?? '')
    if (Number.isNaN(at)) throw invalidField('at', 'A time as in 2026-11-24T12:00:00Z is required')
    bpoint.setClock(at)
    return { at: new Date(at).toISOString() }
  })
}
