import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'

const SCRIPT = new URL('accept.browser.js', import.meta.url)

/** The script inside a function, so that it adds nothing but `Accept` to a page. */
const acceptScript = async (): Promise<string> => `;(() => {\n'use strict'\n${await readFile(SCRIPT, 'utf8')}})()\n`

/** Registers the script that a page loads from Authorize.net. */
export const browserRoutes = (app: FastifyInstance): void => {
  app.get('/v1/Accept.js', async (_request, reply) =>
    reply
      .headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
      .type('text/javascript; charset=utf-8')
      .send(await acceptScript()),
  )
}
