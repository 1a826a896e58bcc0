import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'

const SCRIPT = new URL('api.browser.js', import.meta.url)

/** The script inside a function, so that it adds nothing but `BPOINT` to a page. */
const clientScript = async (): Promise<string> => `;(() => {\n'use strict'\n${await readFile(SCRIPT, 'utf8')}})()\n`

/** Registers the script that a page loads from BPOINT. */
export const browserRoutes = (app: FastifyInstance): void => {
  app.get('/rest/clientscripts/api.js', async (_request, reply) =>
    reply
      .headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
      .type('text/javascript; charset=utf-8')
      .send(await clientScript()),
  )
}
